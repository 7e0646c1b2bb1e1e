import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainId, nodesDisagreeCode } from '@latchkey/wire'
import * as z from 'zod'
import { findReadFault, type ParsedReply, type RpcReply } from '../nodes/readReplies.ts'
import type { UpstreamCall } from '../nodes/rpcRequest.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import { findWorseCode } from './findWorseCode.ts'

const maxNodes = 2
/** The time limit for both nodes. Afterwards the calls are answered like all others. */
const maxMs = 3_000
/**
 * How long to wait for the second node after the first has answered. The simulation of an approval
 * waits longer for it.
 */
const graceMs = 1_000

/**
 * `symbol()` and `decimals()`: they determine how an amount is shown, and are the same on all nodes
 * that are nearly at the head.
 */
const fact = z.tuple([
  z.object({ to: z.string(), data: z.string().regex(/^0x(95d89b41|313ce567)$/i) }),
  z.literal('latest'),
])
const code = z.tuple([z.string(), z.literal('latest')])

/**
 * The same upstreams, but the values that an approval shows (symbols and decimals of tokens, and
 * code) come from two nodes at once if the network has two. If the nodes return different facts of
 * a token, the call fails with {@link nodesDisagreeCode}. If they return different code, the result
 * is the riskier code ({@link findWorseCode}), so that a node that lags or lies does not fail the
 * request. A single node that does not answer causes no wait. `waits` is in milliseconds, for
 * tests.
 */
export const compareNodes = (
  upstreams: Upstreams,
  waits: { readonly graceMs?: number } = {},
): Upstreams => ({
  ...upstreams,
  async request(chainId, calls, reservation) {
    const compared = calls.filter(isCompared)
    if (compared.length === 0 || !/^eip155:/.test(chainId) || upstreams.countNodes(chainId) < 2)
      return upstreams.request(chainId, calls, reservation)
    const others = calls.filter((call) => !isCompared(call))
    const asked = { chainId, calls: compared, graceMs: waits.graceMs ?? graceMs }
    const [facts, rest] = await Promise.all([
      askTwo(upstreams, asked).then((replies) =>
        replies ? { replies } : upstreams.request(chainId, compared, reservation),
      ),
      others.length > 0 ? upstreams.request(chainId, others, reservation) : { replies: [] },
    ])
    if (!('replies' in facts)) return facts
    if (!('replies' in rest)) return rest
    const [some, more] = [[...facts.replies], [...rest.replies]]
    const replies = calls.flatMap((call) => (isCompared(call) ? some : more).shift() ?? [])
    return { replies }
  },
})

function isCompared({ method, params = '[]' }: UpstreamCall): boolean {
  if (method !== 'eth_call' && method !== 'eth_getCode') return false
  return (method === 'eth_call' ? fact : code).safeParse(JSON.parse(params)).success
}

type ComparisonParameters = {
  readonly chainId: ChainId
  readonly calls: readonly UpstreamCall[]
  readonly graceMs: number
}

/** Undefined if some call is answered by neither node. */
async function askTwo(
  upstreams: Upstreams,
  { chainId, calls, graceMs }: ComparisonParameters,
): Promise<readonly RpcReply[] | undefined> {
  const signal = AbortSignal.timeout(maxMs)
  const nodes = (await upstreams.nodes(chainId)).slice(0, maxNodes)
  const asked = nodes.map((node) =>
    node.request(calls, signal).then(
      (answer) => ('replies' in answer ? answer.replies : undefined),
      () => undefined,
    ),
  )
  // A node that fails at once does not end the wait for the other.
  const first = Promise.any(asked.map(async (one) => (await one) ?? Promise.reject(signal)))
  const grace = first.then(
    () => sleep(graceMs, undefined, { ref: false }),
    () => undefined,
  )
  const answers = await Promise.all(asked.map((one) => Promise.race([one, grace])))
  const merged = calls.map(({ method }, index) =>
    mergeReplies(
      method,
      answers.flatMap((replies) => replies?.[index] ?? []),
    ),
  )
  return merged.every((one) => one !== undefined) ? merged : undefined
}

const disagreement = JSON.stringify({
  code: nodesDisagreeCode,
  message: 'Two nodes of this network return different results',
})

/** An error that no contract caused does not count as a result. */
function mergeReplies(method: string, given: readonly ParsedReply[]): RpcReply | undefined {
  const [first, second] = given.filter((one) => findReadFault(one, method) === undefined)
  if (!first) return undefined
  if (second && !isSame(first, second))
    return method === 'eth_getCode'
      ? { result: JSON.stringify(findWorseCode([first, second].map(toText))) }
      : { error: disagreement }
  return first.error === undefined ? { result: JSON.stringify(first.result) } : first
}

function isSame(one: ParsedReply, other: ParsedReply): boolean {
  if (one.error !== undefined || other.error !== undefined)
    return one.error !== undefined && other.error !== undefined
  return toText(one) === toText(other)
}

const toText = ({ result }: ParsedReply) => String(result).toLowerCase()
