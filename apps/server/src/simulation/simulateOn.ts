import type { SimulatedOutcome } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import * as z from 'zod'
import { erc20Abi } from '../evm/abi.ts'
import { type Hex, toQuantity } from '../evm/hex.ts'
import { hexAddress, hexHash, hexQuantity } from '../evm/schemas.ts'
import { type AskNode, type Delegated, delegate, type Method, type Simulated } from './delegate.ts'
import { getSpendable, keepLeft, type Ran, readLeft, readSimulatedBlocks } from './readBlocks.ts'
import { readSimulatedChanges } from './readChanges.ts'
import { readTrace } from './readTrace.ts'

const block = z.object({
  number: hexQuantity,
  timestamp: hexQuantity,
  gasLimit: hexQuantity,
  miner: hexAddress,
  mixHash: hexHash.optional(),
  baseFeePerGas: hexQuantity.optional(),
})
const hexResult = z.string().regex(/^0x/)

const maxReason = 200
/**
 * The time limit for the second simulation; if it takes longer, the result of the first one counts.
 */
const maxLeftMs = 1_000
const allowanceGas = '0x186a0'

/**
 * Simulates calls on one node in its next block, each on top of the previous ones, with
 * `eth_simulateV1`. If the node lacks that method, falls back to each call alone:
 * `debug_traceCall`, else `eth_call`, which only shows whether the call fails. With `delegation`
 * the account has that code; a node that cannot run it simulates calls to other addresses without
 * it. Undefined if the node supports none of these.
 */
export async function simulateOn(
  ask: AskNode,
  given: Simulated,
): Promise<SimulatedOutcome | undefined> {
  const outcome = await tryOut(ask, given)
  const { delegation, ...plain } = given
  const isOwn = given.calls.some(({ to }) => to?.toLowerCase() === given.from.toLowerCase())
  if (outcome !== undefined || delegation === undefined || isOwn) return outcome
  const without = await tryOut(ask, plain)
  return without?.status === 'done' ? { ...without, isComplete: false } : undefined
}

async function tryOut(ask: AskNode, given: Simulated): Promise<SimulatedOutcome | undefined> {
  const latest = await ask('eth_getBlockByNumber', ['latest', false])
  const parsed = block.safeParse(latest && 'result' in latest ? latest.result : undefined)
  if (!parsed.success) return undefined
  const blockOverrides = getNextBlock(parsed.data)
  const isPaid = given.fees !== undefined
  const calls = given.calls.map((call) => ({ from: given.from, ...given.fees, ...call }))
  const account = given.from.toLowerCase() as Hex
  const delegated = delegate(ask, given)
  const { overrides } = delegated
  const runAll = (all: readonly object[], read: (result: unknown) => Ran) =>
    run(ask, delegated, {
      method: 'eth_simulateV1',
      params: [
        {
          // The real block, gas price and base fee, so that code which reads them cannot detect the
          // simulation.
          blockStateCalls: [
            {
              blockOverrides: isPaid ? blockOverrides : unpaid(blockOverrides),
              ...(overrides && { stateOverrides: overrides }),
              calls: all,
            },
          ],
          traceTransfers: true,
          validation: isPaid,
        },
        'latest',
      ],
      read,
    })
  const whole = await runAll(calls, readSimulatedBlocks)
  if (whole === undefined) {
    const ran = join(
      await Promise.all(calls.map((call) => runAlone(ask, delegated, { call, blockOverrides }))),
    )
    return ran && toOutcome(ran, account)
  }
  const allowances = getSpendable(whole, account)
  if (allowances.length === 0) return toOutcome(whole, account)
  const questions = allowances.map(({ token, spender }) => ({
    ...{ from: given.from, ...given.fees, gas: allowanceGas, to: token },
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account, spender as Hex],
    }),
  }))
  const again = runAll([...calls, ...questions], (result) => readLeft(result, allowances))
  const timer = AbortSignal.timeout(maxLeftMs)
  const late = new Promise<undefined>((resolve) => {
    timer.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return toOutcome((await Promise.race([again, late])) ?? whole, account)
}

async function runAlone(
  ask: AskNode,
  delegated: Delegated,
  { call, blockOverrides }: { call: object; blockOverrides: object },
): Promise<Ran | undefined> {
  const { overrides } = delegated
  const trace = {
    ...{ tracer: 'callTracer', tracerConfig: { withLog: true }, blockOverrides },
    ...(overrides && { stateOverrides: overrides }),
  }
  const traced = await run(ask, delegated, {
    method: 'debug_traceCall',
    params: [call, 'latest', trace],
    read: readTrace,
  })
  if (traced !== undefined) return traced
  return run(ask, delegated, {
    method: 'eth_call',
    params: [call, 'latest', ...(overrides ? [overrides] : [])],
    read: (result) => {
      hexResult.parse(result)
      return { logs: [], gasUsed: [], isPartial: true }
    },
  })
}

/**
 * A call that fails alone may depend on an earlier call, unless it is the first; its effects are
 * unknown.
 */
function join([first, ...others]: readonly (Ran | undefined)[]): Ran | undefined {
  if (first === undefined || first.reason !== undefined || others.length === 0) return first
  return {
    logs: [first, ...others].flatMap((one) => one?.logs ?? []),
    gasUsed: first.gasUsed,
    isPartial: true,
  }
}

function toOutcome(
  { logs, gasUsed, reason, isPartial, left }: Ran,
  account: Hex,
): SimulatedOutcome {
  const found = readSimulatedChanges(logs, account)
  const effects = {
    ...found,
    allowances: keepLeft(found.allowances, left),
    isComplete: found.isComplete && isPartial !== true,
    ...(gasUsed.length > 0 && { gasUsed: gasUsed.map(toQuantity) }),
  }
  if (reason === undefined) return { status: 'done', ...effects }
  return {
    status: 'failed',
    reason: reason.slice(0, maxReason),
    ...(gasUsed.length > 0 && { ran: effects }),
  }
}

/**
 * Undefined if the node does not support the method or the account's code in it, or returns an
 * unexpected result.
 */
async function run(
  ask: AskNode,
  { isTaken }: Delegated,
  { method, params, read }: { method: Method; params: unknown[]; read: (result: unknown) => Ran },
): Promise<Ran | undefined> {
  const [reply, isMeant] = await Promise.all([ask(method, params), isTaken(method)])
  if (reply === undefined || !isMeant) return undefined
  if ('error' in reply) return readError(reply.error)
  try {
    return read(reply.result)
  } catch {
    return undefined
  }
}

/**
 * Errors of the transaction itself, in the words of the common nodes; all others are problems of
 * the node.
 */
const transactionError =
  /revert|insufficient|funds|gas (?:required|limit|too low|price)|intrinsic|out of ?gas|nonce|execution|opcode|fee/i

function readError(text: string): Ran | undefined {
  const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown }
  if (typeof message !== 'string') return undefined
  const isOfTransaction =
    code === 3 ||
    (typeof code === 'number' && code <= -38010 && code > -38100) ||
    ((code === -32000 || code === -32003) && transactionError.test(message))
  return isOfTransaction ? { logs: [], gasUsed: [], reason: message } : undefined
}

/** The block after `latest`, by the same miner at the same base fee. */
const getNextBlock = ({
  number,
  timestamp,
  gasLimit,
  miner,
  mixHash,
  baseFeePerGas,
}: z.infer<typeof block>) => ({
  number: toQuantity(number + 1n),
  time: toQuantity(max(timestamp + 1n, BigInt(Math.floor(Date.now() / 1_000)))),
  gasLimit: toQuantity(gasLimit),
  feeRecipient: miner,
  ...(mixHash && { prevRandao: mixHash }),
  ...(baseFeePerGas !== undefined && { baseFeePerGas: toQuantity(baseFeePerGas) }),
})

const unpaid = ({ baseFeePerGas: _, ...rest }: ReturnType<typeof getNextBlock>) => rest

const max = (a: bigint, b: bigint) => (a > b ? a : b)
