import type { SimulatedOutcome, simulateCalls } from '@latchkey/wire'
import * as z from 'zod'
import type { output } from 'zod/v4/core'
import { type Hex, toQuantity } from '../evm/hex.ts'
import { hexAddress, hexHash, hexQuantity } from '../evm/schemas.ts'
import { readChanges, type SimulatedLog, simulatedLog } from './readChanges.ts'
import { readTrace } from './readTrace.ts'

/** The calls to run, in the name of `from`. */
export type Simulated = Omit<output<(typeof simulateCalls)['body']>, 'chainId'>

/** Asks one node; an error is raw JSON. Undefined where the node gave no answer. */
export type AskNode = (
  method: string,
  params: unknown[],
) => Promise<{ readonly result: unknown } | { readonly error: string } | undefined>

const block = z.object({
  number: hexQuantity,
  timestamp: hexQuantity,
  gasLimit: hexQuantity,
  miner: hexAddress,
  mixHash: hexHash.optional(),
  baseFeePerGas: hexQuantity.optional(),
})
const simulatedBlocks = z
  .array(
    z.object({
      calls: z.array(
        z.object({
          status: hexQuantity,
          logs: z.array(simulatedLog).optional(),
          returnData: z.string().optional(),
          error: z.object({ message: z.string().optional() }).optional(),
        }),
      ),
    }),
  )
  .length(1)

const hexResult = z.string().regex(/^0x/)

const maxReason = 200

/**
 * Runs calls on one node as they would run in its next block: `eth_simulateV1`, where it has not that and it is one call
 * `debug_traceCall`, else `eth_call`, which only tells whether it fails. Undefined where the node cannot say.
 */
export async function simulateOn(
  ask: AskNode,
  given: Simulated,
): Promise<SimulatedOutcome | undefined> {
  const latest = await ask('eth_getBlockByNumber', ['latest', false])
  const parsed = block.safeParse(latest && 'result' in latest ? latest.result : undefined)
  if (!parsed.success) return undefined
  const blockOverrides = getNextBlock(parsed.data)
  const isPaid = given.fees !== undefined
  const calls = given.calls.map((call) => ({ from: given.from, ...call, ...given.fees }))
  const whole = await run(ask, given.from, {
    method: 'eth_simulateV1',
    params: [
      {
        // The real block, gas price and base fee: code that looks for them must not see that it is tried out.
        blockStateCalls: [
          { blockOverrides: isPaid ? blockOverrides : unpaid(blockOverrides), calls },
        ],
        traceTransfers: true,
        validation: isPaid,
      },
      'latest',
    ],
    read: readBlocks,
  })
  const [only, ...others] = calls
  if (whole !== undefined || only === undefined || others.length > 0) return whole
  const trace = { tracer: 'callTracer', tracerConfig: { withLog: true }, blockOverrides }
  const traced = await run(ask, given.from, {
    method: 'debug_traceCall',
    params: [only, 'latest', trace],
    read: readTrace,
  })
  if (traced !== undefined) return traced
  const called = await run(ask, given.from, {
    method: 'eth_call',
    params: [only, 'latest'],
    read: (result) => {
      hexResult.parse(result)
      return { logs: [] }
    },
  })
  return called?.status === 'done' ? { ...called, isComplete: false } : called
}

type Run = {
  readonly method: string
  readonly params: unknown[]
  read(result: unknown): { readonly logs: SimulatedLog[] } | { readonly reason: string }
}

/** Undefined where the node does not know the method, or answers with something else. */
async function run(
  ask: AskNode,
  from: string,
  { method, params, read }: Run,
): Promise<SimulatedOutcome | undefined> {
  const reply = await ask(method, params)
  if (reply === undefined) return undefined
  if ('error' in reply) return readError(reply.error)
  try {
    const answer = read(reply.result)
    if ('reason' in answer) return { status: 'failed', reason: cut(answer.reason) }
    return readChanges(answer.logs, from.toLowerCase() as Hex)
  } catch {
    return undefined
  }
}

/** What is wrong with the transaction itself, in the words of the common nodes; all else is the node's own trouble. */
const transactionError =
  /revert|insufficient|funds|gas (?:required|limit|too low|price)|intrinsic|out of ?gas|nonce|execution|opcode|fee/i

function readError(text: string): SimulatedOutcome | undefined {
  const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown }
  if (typeof message !== 'string') return undefined
  const isOfTransaction =
    code === 3 ||
    (typeof code === 'number' && code <= -38010 && code > -38100) ||
    ((code === -32000 || code === -32003) && transactionError.test(message))
  return isOfTransaction ? { status: 'failed', reason: cut(message) } : undefined
}

function readBlocks(result: unknown) {
  const logs: SimulatedLog[] = []
  for (const { status, ...call } of simulatedBlocks.parse(result)[0]?.calls ?? []) {
    if (status !== 1n)
      return { reason: readRevert(call.returnData) ?? call.error?.message ?? 'reverted' }
    logs.push(...(call.logs ?? []))
  }
  return { logs }
}

/** The text of `Error(string)`. */
function readRevert(data: string | undefined): string | undefined {
  if (!data?.startsWith('0x08c379a0')) return undefined
  const bytes = Buffer.from(data.slice(10), 'hex')
  const size = Number(BigInt(`0x${bytes.toString('hex', 32, 64) || '0'}`))
  const text = bytes.subarray(64, 64 + Math.min(size, maxReason)).toString('utf8')
  return text === '' ? undefined : text
}

const cut = (text: string) => text.slice(0, maxReason)

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
