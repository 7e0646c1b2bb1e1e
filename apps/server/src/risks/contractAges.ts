import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainId } from '@latchkey/wire'
import type { Node, Upstreams } from '../nodes/upstreams.ts'
import { type AskMany, findContractAge } from './findContractAge.ts'

/** The contract to find the age of. `signal` aborts the wait. */
type ContractParameters = {
  readonly chainId: ChainId
  readonly address: string
  readonly signal: AbortSignal
}

/**
 * When a contract was created (seconds since 1970), `old`, or undefined if there is no contract or
 * its age is unknown.
 */
type Finding = { readonly madeAt: number } | 'old' | undefined

type Kept = { readonly finding: Promise<Finding>; untilMs: number }

/** The most nodes to query. Two, so that a single node cannot hide that a contract is new. */
const maxNodes = 2
/** The time limit for all node requests together; the frame waits little longer. */
const maxMs = 1_500
/** How long to wait for the second node after the first has answered. */
const graceMs = 300
const maxKept = 10_000
const keptMs = 10 * 60_000
/**
 * A contract may be created at any moment at an address without one, so this is kept only for the
 * requests of a single approval.
 */
const keptNothingMs = 3_000

/**
 * Returns a function that reads how many seconds ago a contract was created. If two nodes differ,
 * the shorter time counts. Undefined for old contracts, for addresses without a contract, and if
 * the nodes do not answer in time; the next call then has the result. `now` returns milliseconds
 * since 1970.
 */
export function createContractAges(upstreams: Pick<Upstreams, 'nodes'>, now = Date.now) {
  const kept = new Map<string, Kept>()
  const nowSeconds = () => Math.floor(now() / 1_000)
  const find = async (node: Node, address: string): Promise<Finding> => {
    const ask: AskMany = async (calls) => {
      const answer = await node.request(
        calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) })),
        AbortSignal.timeout(10_000),
      )
      return 'replies' in answer
        ? answer.replies.map((one) => (one.error === undefined ? one.result : undefined))
        : []
    }
    const startedAt = nowSeconds()
    const age = await findContractAge(ask, { address, nowSeconds: startedAt })
    return typeof age === 'number' ? { madeAt: startedAt - age } : age
  }
  const look = (name: string, work: () => Promise<Finding>): Promise<Finding> => {
    const known = kept.get(name)
    if (known && known.untilMs > now()) return known.finding
    if (kept.size > maxKept) kept.clear()
    const looked: Kept = { finding: work().catch(() => undefined), untilMs: Infinity }
    kept.set(name, looked)
    void looked.finding.then((finding) => {
      looked.untilMs = now() + (finding ? keptMs : keptNothingMs)
    })
    return looked.finding
  }
  return async ({ chainId, address, signal }: ContractParameters): Promise<number | undefined> => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
    const late = new Promise<undefined>((resolve) => {
      ended.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const nodes = await Promise.race([upstreams.nodes(chainId), late])
    const looks = (nodes ?? [])
      .slice(0, maxNodes)
      .map((node, index) =>
        look(`${index} ${chainId} ${address.toLowerCase()}`, () => find(node, address)),
      )
    const grace = Promise.race(looks).then(() => sleep(graceMs, undefined, { ref: false }))
    const findings = await Promise.all(looks.map((one) => Promise.race([one, grace, late])))
    const times = findings.flatMap((one) => (typeof one === 'object' ? [one.madeAt] : []))
    return times.length > 0 ? Math.max(0, nowSeconds() - Math.max(...times)) : undefined
  }
}
