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

/** A transaction to compute the data fee for: its full serialization and its main fields. */
type FeeTransaction = {
  readonly raw: Hex
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

/**
 * Reads the fee of a rollup for a transaction in addition to its own gas, in wei: mostly the price
 * of its data on the underlying layer. 0 if the network is not such a rollup. Throws
 * RPC_UNAVAILABLE.
 */
export type ReadL1Fee = (transaction: FeeTransaction) => Promise<bigint>

type Reply = { readonly result?: unknown; readonly error?: { message: string; data?: unknown } }
type Ask = (
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
) => Promise<readonly Reply[]>

/** How long the kind of rollup of a network is cached. */
const knownMs = 60_000

/**
 * Creates the reader for one network. Detects the kind of rollup from the contracts that answer.
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
    // Do not treat a fee that cannot be read as 0.
    if (fees.includes(undefined)) throw unavailable()
    return fees.reduce<bigint>((sum, fee) => sum + (typeof fee === 'bigint' ? fee : 0n), 0n)
  }
}

/** A transaction without content, so that the detection does not depend on what clients send. */
const probe: FeeTransaction = {
  raw: '0x00',
  to: '0x0000000000000000000000000000000000000000',
  data: '0x',
  gas: 21_000n,
}

/** A contract's return data; undefined if the contract does not exist or lacks the function. */
type OracleResponse = Hex | 'failed' | undefined
type Oracle = {
  ask(
    transaction: FeeTransaction & { readonly chainId: ChainId },
  ): { method: string; params: readonly unknown[] }[]
  /** The fee in wei; undefined if the network has no such contract. */
  read(answers: readonly OracleResponse[]): bigint | 'failed' | undefined
}

const call = (to: string, data: string) => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
})

/**
 * Includes the signature, which makes the fee slightly too high, so that the bundler does not lose
 * money.
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
 * includes that gas, so only a bundler, which adds up the gas of operations itself, has to read it.
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

/** An error of a contract shows that it is not such an oracle; other errors show nothing. */
function readAnswer({ result, error }: Reply): OracleResponse {
  if (typeof result === 'string') return result as Hex
  const isContract = error && (error.data !== undefined || isContractFailure(error.message))
  return isContract ? undefined : 'failed'
}
