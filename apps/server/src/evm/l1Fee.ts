import { type ChainId, LatchkeyError } from '@latchkey/wire'
import { decodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from 'viem'
import type { Hex } from './hex.ts'
import { hexQuantity } from './schemas.ts'

/** A transaction whose data fee is asked for: the whole serialized transaction, and what it does. */
type FeeTransaction = {
  readonly raw: Hex
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

/**
 * Reads what a rollup charges for a transaction beside its own gas, in wei: mostly the price of its data on the layer below. 0 on a
 * network that is no such rollup. Throws RPC_UNAVAILABLE.
 */
export type ReadL1Fee = (transaction: FeeTransaction) => Promise<bigint>

type Reply = { readonly result?: unknown; readonly error?: { message: string; data?: unknown } }
type Ask = (
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
) => Promise<readonly Reply[]>

/** How long it is known which rollup a network is. */
const knownMs = 60_000

/** Creates the reader for one network. Which kind of rollup it is follows from the contracts that answer. */
export function createL1Fee(parameters: {
  readonly ask: Ask
  readonly chainId: ChainId
  readonly clock: () => number
}): ReadL1Fee {
  const { ask, chainId, clock } = parameters
  let known: readonly Oracle[] = oracles
  let untilMs = 0
  return async (transaction) => {
    const asked = clock() < untilMs ? known : oracles
    if (asked.length === 0) return 0n
    const questions = asked.map((oracle) => oracle.ask(transaction))
    const replies = [...(await ask(questions.flat()))]
    const fees = asked.map((oracle, index) => {
      const own = replies.splice(0, questions[index]?.length ?? 0).map(readAnswer)
      return own[0] === 'failed' ? 'failed' : oracle.read(own)
    })
    // A fee that cannot be read is not 0.
    if (
      fees.includes('failed') ||
      (asked === known && fees.includes(undefined) && known !== oracles)
    )
      throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
    if (asked === oracles) {
      known = oracles.filter((_, index) => fees[index] !== undefined)
      untilMs = clock() + knownMs
    }
    return fees.reduce<bigint>((sum, fee) => sum + (typeof fee === 'bigint' ? fee : 0n), 0n)
  }
}

/** What a contract answered; undefined if there is none, or it does not know the function. */
type Answer = Hex | 'failed' | undefined
type Oracle = {
  ask(transaction: FeeTransaction): { method: string; params: readonly unknown[] }[]
  /** The fee in wei; undefined if the network has no such contract. */
  read(answers: readonly Answer[]): bigint | undefined
}

const abi = parseAbi([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64, uint256, uint256)',
])
const arbitrumAnswer = parseAbiParameters('uint64, uint256, uint256')

const call = (to: Hex, data: Hex) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })
const getL1Fee = (raw: Hex) => encodeFunctionData({ abi, functionName: 'getL1Fee', args: [raw] })

const oracles: readonly Oracle[] = [
  {
    // The OP stack: GasPriceOracle. Since Isthmus an operator may ask for a fee of its own.
    ask: ({ raw, gas }) => {
      const oracle = '0x420000000000000000000000000000000000000F'
      const operatorFee = encodeFunctionData({ abi, functionName: 'getOperatorFee', args: [gas] })
      return [call(oracle, getL1Fee(raw)), call(oracle, operatorFee)]
    },
    read: ([fee, operatorFee]) => {
      const data = readWord(fee)
      return data === undefined ? undefined : data + (readWord(operatorFee) ?? 0n)
    },
  },
  {
    // Scroll: L1GasPriceOracle.
    ask: ({ raw }) => [call('0x5300000000000000000000000000000000000002', getL1Fee(raw))],
    read: ([fee]) => readWord(fee),
  },
  {
    // Arbitrum: NodeInterface counts the data in gas of the rollup, at its base fee.
    ask: ({ to, data }) => {
      const functionName = 'gasEstimateL1Component'
      const asked = encodeFunctionData({ abi, functionName, args: [to, false, data] })
      return [call('0x00000000000000000000000000000000000000C8', asked)]
    },
    read: ([answer]) => {
      if (typeof answer !== 'string' || answer.length < 2 + 3 * 64) return undefined
      const [gas, baseFee] = decodeAbiParameters(arbitrumAnswer, answer as Hex)
      return gas * baseFee
    },
  },
]

const readWord = (answer: Answer) =>
  typeof answer === 'string' && answer.length === 66 ? hexQuantity.parse(answer) : undefined

/** An error of a contract says that it is no such oracle; any other error says nothing. */
function readAnswer({ result, error }: Reply): Answer {
  if (typeof result === 'string') return result as Hex
  const isContract =
    error &&
    (error.data !== undefined || /revert|opcode|gas|execution|\bevm\b/i.test(error.message))
  return isContract ? undefined : 'failed'
}
