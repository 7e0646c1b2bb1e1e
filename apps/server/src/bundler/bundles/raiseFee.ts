import { type Hex, keccak256, parseTransaction } from 'viem'
import { readFailure } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { findOperations, type StoredOperation } from '../mempool/operationStore.ts'
import { getNumber } from '../operations/checkOperation.ts'
import { getDataFee, getDataIncome } from '../operations/dataFee.ts'
import { type Fees, feeQuestions, type Market, readMarket } from '../operations/market.ts'
import { simulateBundle } from '../operations/simulate.ts'
import { isExpiring } from '../operations/validity.ts'
import type { Bundle, OpenBundle } from './bundleStore.ts'
import { checkAgain } from './checkAgain.ts'
import { priceBundle, toFeeFields } from './priceBundle.ts'

/** Nodes replace a transaction if the new one pays at least a tenth more of both fees. */
const raisePercent = 113n
/** The highest fee that a bundle may offer, relative to its first fee. */
const maxFactor = 4n

/** The least fees with which a transaction can replace `raw`, which a node already holds. */
export function getReplacingFees(raw: Hex): Fees {
  const { fee, tip } = readFees(raw)
  return { fee: raise(fee), tip: raise(tip) }
}

/**
 * The last version of a bundle with a higher fee, signed. Undefined if its operations do not pay
 * that much or it would revert now, or once it would offer four times as much as at first. Throws
 * RPC_UNAVAILABLE, ANSWER_INVALID.
 */
export async function raiseFee(
  chain: ChainBundler,
  { versions, operations }: OpenBundle,
): Promise<Bundle | undefined> {
  const [first, last] = [versions[0], versions.at(-1)]
  if (!first || !last) return undefined
  const market = readMarket(await chain.ask(feeQuestions), getNumber(chain))
  const hashes = operations.flatMap(({ hash, version }) => (version === last.hash ? [hash] : []))
  const stored = hashes.length > 0 ? await findOperations(chain, hashes) : []
  const kept = stored.flatMap((one) => one ?? [])
  if (!(await wouldPass(chain, kept, market))) return undefined
  const carried = kept.map(({ operation }) => operation)
  const fees = priceBundle(carried, { market, least: getReplacingFees(last.raw) })
  if (!fees || carried.length < stored.length) return undefined
  if (fees.fee > readFees(first.raw).fee * maxFactor) return undefined
  const { r: _r, s: _s, v: _v, yParity: _y, ...transaction } = parseTransaction(last.raw)
  const raw = await chain.account.signTransaction({
    ...transaction,
    ...toFeeFields(fees, { hasBaseFee: transaction.gasPrice === undefined }),
  } as Parameters<typeof chain.account.signTransaction>[0])
  if (carried.length > 0 && getDataIncome(carried, market) < (await getDataFee(chain, raw)))
    return undefined
  return { hash: keccak256(raw), raw, nonce: last.nonce }
}

/**
 * Whether the bundle would still pass: the state that it depends on may have changed since it was
 * signed.
 */
async function wouldPass(
  chain: ChainBundler,
  stored: readonly StoredOperation[],
  market: Market,
): Promise<boolean> {
  if (stored.length === 0) return true
  if (stored.some(({ until }) => isExpiring(until, market))) return false
  const { operations } = await checkAgain(chain, stored)
  // A bundle that is signed keeps its authorizations and its code.
  if (operations.length < stored.length || operations.some((one) => !stored.includes(one)))
    return false
  const all = operations.map(({ operation }) => operation)
  const [verdict] = await chain.ask([simulateBundle(all, chain.account.address)])
  return readFailure(verdict) === undefined
}

function readFees(raw: Hex): Fees {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw)
  const fee = maxFeePerGas ?? gasPrice ?? 0n
  return { fee, tip: maxFeePerGas === undefined ? fee : (maxPriorityFeePerGas ?? 0n) }
}

const raise = (wei: bigint) => (wei * raisePercent) / 100n + 1n
