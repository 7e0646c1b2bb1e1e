import type { UpstreamCall } from '../nodes/rpcRequest.ts'

/**
 * The most gas of one call, and of all calls of a request. Some kinds of nodes run a call with any
 * amount of gas.
 */
const maxGas = 50_000_000n
const maxGasTogether = 300_000_000n

const running: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_simulateV1',
])

/**
 * Limits the gas of a request's calls to what a node should run for it. Calls that run no code stay
 * unchanged.
 */
export function boundCalls<Call extends UpstreamCall>(calls: readonly Call[]): Call[] {
  const count = calls.filter(({ method }) => running.has(method)).length
  const most = min(maxGas, maxGasTogether / BigInt(Math.max(count, 1)))
  return calls.map((call) =>
    running.has(call.method) ? { ...call, params: boundParams(call, most) } : call,
  )
}

function boundParams({ method, params = '[]' }: UpstreamCall, most: bigint): string {
  const parsed: unknown = JSON.parse(params)
  if (!Array.isArray(parsed)) return params
  const [first, ...rest] = parsed
  if (method === 'eth_simulateV1') return JSON.stringify([boundBlocks(first, most), ...rest])
  // A call without gas gets the node's limit. It gets an explicit limit if the node's is more than
  // its share, or if the caller overrides a block's gas limit.
  const isLimited = most < maxGas || rest.length > 2
  return JSON.stringify([boundCall(first, { most, isLimited }), ...rest])
}

/** Limits a call to `most` gas. A call without gas gets a limit only if `isLimited`. */
function boundCall(
  call: unknown,
  { most, isLimited = false }: { readonly most: bigint; readonly isLimited?: boolean },
): unknown {
  if (!isObject(call)) return call
  const { gas, gasLimit, ...other } = call
  const given = gas ?? gasLimit
  return given === undefined && !isLimited ? other : { ...other, gas: toGas(given, most) }
}

/** Blocks that share the gas of one request. */
function boundBlocks(payload: unknown, ofRequest: bigint): unknown {
  if (!isObject(payload) || !Array.isArray(payload.blockStateCalls)) return payload
  const blocks: readonly unknown[] = payload.blockStateCalls
  const most = min(ofRequest, maxGasTogether / BigInt(Math.max(blocks.length, 1)))
  return { ...payload, blockStateCalls: blocks.map((block) => boundBlock(block, most)) }
}

function boundBlock(block: unknown, most: bigint): unknown {
  if (!isObject(block)) return block
  const { calls, blockOverrides } = block
  const { gasLimit, ...others } = isObject(blockOverrides) ? blockOverrides : {}
  const isLimited = gasLimit !== undefined || most < maxGas
  return {
    ...block,
    ...(isLimited && { blockOverrides: { ...others, gasLimit: toGas(gasLimit, most) } }),
    ...(Array.isArray(calls) && { calls: calls.map((call) => boundCall(call, { most })) }),
  }
}

/** Gas as a quantity, at most `most`; `most` too if it cannot be read. */
function toGas(given: unknown, most: bigint): string {
  try {
    return `0x${min(BigInt(given as string), most).toString(16)}`
  } catch {
    return `0x${most.toString(16)}`
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const min = (a: bigint, b: bigint) => (a < b ? a : b)
