import { type FeeFields, getFeeRates } from '@latchkey/wire'
import { keccak256, parseTransaction } from 'viem'
import type { ChainBundler } from '../chainBundler.ts'
import type { Bundle, OpenBundle } from './bundleStore.ts'

/** Nodes replace a transaction if the new one pays at least a tenth more. */
const raisePercent = 113n
/** What a bundle may cost, in times of what it first offered. */
const maxFactor = 4n

/**
 * The same transaction with a higher fee, signed; undefined once it would offer four times as much as at first. Throws
 * RPC_UNAVAILABLE, ANSWER_INVALID.
 */
export async function raiseFee(
  { ask, account }: ChainBundler,
  { versions }: OpenBundle,
): Promise<Bundle | undefined> {
  const [first, last] = [versions[0], versions.at(-1)]
  if (!first || !last) return undefined
  const [block, gasPrice, tip] = await ask([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ])
  const { fields } = getFeeRates({
    block: block?.result,
    gasPrice: gasPrice?.result,
    tip: tip?.result,
  })
  const { r: _r, s: _s, v: _v, yParity: _y, ...transaction } = parseTransaction(last.raw)
  const old = readFees(transaction)
  const now = readFees(fields)
  const raise = (before: bigint, rate: bigint) => max((before * raisePercent) / 100n + 1n, rate)
  const fee = raise(old.fee, now.fee)
  if (fee > readFees(parseTransaction(first.raw)).fee * maxFactor) return undefined
  const raw = await account.signTransaction({
    ...transaction,
    ...(old.tip === undefined
      ? { gasPrice: fee }
      : {
          maxFeePerGas: fee,
          maxPriorityFeePerGas: min(fee, raise(old.tip, now.tip ?? 0n)),
        }),
  } as Parameters<typeof account.signTransaction>[0])
  return { hash: keccak256(raw), raw, nonce: last.nonce }
}

type Fees = {
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** The most for a unit of gas, and what of it the miner gets where that is apart. */
const readFees = ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Fees | (FeeFields & Fees)) =>
  maxFeePerGas === undefined
    ? { fee: gasPrice ?? 0n, tip: undefined }
    : { fee: maxFeePerGas, tip: maxPriorityFeePerGas ?? 0n }

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
