import {
  type ChainId,
  isContractFailure,
  type L1FeeOracle,
  LatchkeyError,
  l1FeeOracles,
  maxL1FeeWei,
} from '@latchkey/wire'
import { decodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from 'viem'
import type { Hex } from './hex.ts'

/**
 * A transaction whose data fee is asked for: the whole serialized transaction, and what it does.
 */
type FeeTransaction = {
  readonly raw: Hex
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

/**
 * Reads what a rollup charges for a transaction beside its own gas, in wei: mostly the price of its
 * data on the layer below. 0 on a network that is no such rollup. Throws RPC_UNAVAILABLE.
 */
export type ReadL1Fee = (transaction: FeeTransaction) => Promise<bigint>

type Reply = { readonly result?: unknown; readonly error?: { message: string; data?: unknown } }
type Ask = (
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
) => Promise<readonly Reply[]>

/** How long it is known which rollup a network is. */
const knownMs = 60_000

/**
 * Creates the reader for one network. Which kind of rollup it is follows from the contracts that
 * answer.
 */
export function createL1Fee(parameters: {
  readonly ask: Ask
  readonly chainId: ChainId
  readonly clock: () => number
}): ReadL1Fee {
  const { ask, chainId, clock } = parameters
  let known: readonly Oracle[] = []
  let untilMs = Number.NEGATIVE_INFINITY
  const unavailable = () => new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
  const read = async (asked: readonly Oracle[], transaction: FeeTransaction) => {
    const questions = asked.map((oracle) => oracle.ask({ ...transaction, chainId }))
    const replies = [...(await ask(questions.flat()))]
    const fees = asked.map((oracle, index) => {
      const own = replies.splice(0, questions[index]?.length ?? 0).map(readAnswer)
      return oracle.read(own)
    })
    if (fees.includes('failed')) throw unavailable()
    return fees
  }
  return async (transaction) => {
    if (clock() >= untilMs) {
      const fees = await read(oracles, probe)
      known = oracles.filter((one, index) => fees[index] !== undefined || known.includes(one))
      untilMs = clock() + knownMs
    }
    if (known.length === 0) return 0n
    const fees = await read(known, transaction)
    // A fee that cannot be read is not 0.
    if (fees.includes(undefined)) throw unavailable()
    return fees.reduce<bigint>((sum, fee) => sum + (typeof fee === 'bigint' ? fee : 0n), 0n)
  }
}

/** Asks for the fee of nothing, which does not depend on what clients send. */
const probe: FeeTransaction = {
  raw: '0x00',
  to: '0x0000000000000000000000000000000000000000',
  data: '0x',
  gas: 21_000n,
}

/** What a contract answered; undefined if there is none, or it does not know the function. */
type Answer = Hex | 'failed' | undefined
type Oracle = {
  ask(
    transaction: FeeTransaction & { readonly chainId: ChainId },
  ): { method: string; params: readonly unknown[] }[]
  /** The fee in wei; undefined if the network has no such contract. */
  read(answers: readonly Answer[]): bigint | 'failed' | undefined
}

const call = (to: string, data: string) => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
})

/**
 * Asked with the signature, which makes the fee a little too high: the bundler is not to lose by
 * it.
 */
const toOracle = ({ address, ask, read }: L1FeeOracle): Oracle => ({
  ask: ({ chainId, raw, gas }) =>
    ask({ chainId, unsigned: raw, signed: raw, gas }).map((data) => call(address, data)),
  read: (answers) => {
    if (answers.includes('failed')) return 'failed'
    try {
      return read(answers)
    } catch {
      return 'failed'
    }
  },
})

const abi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64, uint256, uint256)',
])
const arbitrumAnswer = parseAbiParameters('uint64, uint256, uint256')

/**
 * Arbitrum: NodeInterface counts the data in gas of the rollup, at its base fee. `eth_estimateGas`
 * includes that gas, so only a bundler, which adds up the gas of operations itself, has to ask for
 * it.
 */
const arbitrum: Oracle = {
  ask: ({ to, data }) => {
    const functionName = 'gasEstimateL1Component'
    const asked = encodeFunctionData({ abi, functionName, args: [to, false, data] })
    return [call('0x00000000000000000000000000000000000000C8', asked)]
  },
  read: ([answer]) => {
    if (answer === 'failed') return 'failed'
    if (answer === undefined || answer.length < 2 + 3 * 64) return undefined
    const [gas, baseFee] = decodeAbiParameters(arbitrumAnswer, answer)
    const fee = gas * baseFee
    return fee > maxL1FeeWei ? 'failed' : fee
  },
}

const oracles: readonly Oracle[] = [...l1FeeOracles.map(toOracle), arbitrum]

/** An error of a contract says that it is no such oracle; any other error says nothing. */
function readAnswer({ result, error }: Reply): Answer {
  if (typeof result === 'string') return result as Hex
  const isContract = error && (error.data !== undefined || isContractFailure(error.message))
  return isContract ? undefined : 'failed'
}
