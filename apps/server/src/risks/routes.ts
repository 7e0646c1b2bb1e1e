import type { HttpBindings } from '@hono/node-server'
import { type ChainId, readRisks } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { mountOpen } from '../auth/mount.ts'
import { findChain } from '../http/findChain.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import type { Services } from '../services.ts'
import { type AskMany, findContractAge } from './findContractAge.ts'
import { openBlockList } from './openBlockList.ts'
import { hasOrigin, normalizeAddress } from './parseBlockList.ts'

/** For all that nodes are asked; the frame waits little longer. */
const maxMs = 1_500
const maxAged = 5
const maxKept = 10_000
/** A contract can be made where there was none. */
const keptMs = 10 * 60_000
const fetchMs = 20_000
const accept = ['text/*', 'application/json', 'application/octet-stream']

/** `POST /api/risks`: the operator's block list, and contracts that are new. */
export function riskRoutes(
  { config, log }: Pick<Services, 'config' | 'log'>,
  {
    auth,
    upstreams,
    outbound,
  }: { readonly auth: Auth; readonly upstreams: Upstreams; readonly outbound: Outbound },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const list =
    config.blockList === undefined
      ? undefined
      : openBlockList(config.blockList, {
          fetch: async (url, { maxBytes }) => {
            const { bytes } = await fetchOutside(outbound, url, {
              accept,
              maxBytes,
              timeoutMs: fetchMs,
            })
            return bytes.toString('utf8')
          },
          warn: (problem) => log.warn({ problem }, 'the block list'),
          now: Date.now,
        })
  const getAge = createAges(upstreams)
  mountOpen(app, auth, {
    route: readRisks,
    async work({ body: { origin, chainId, addresses }, signal }) {
      const found = chainId === undefined ? undefined : findChain(config, chainId)
      const evm =
        found && 'chainId' in found && found.chainId.startsWith('eip155:')
          ? found.chainId
          : undefined
      const [known, ages] = await Promise.all([
        list?.read(),
        Promise.all(
          (evm
            ? addresses.filter((one) => /^0x[0-9a-f]{40}$/i.test(one)).slice(0, maxAged)
            : []
          ).map(async (address) => ({
            address,
            ageSeconds: await getAge(evm as ChainId, address, signal),
          })),
        ),
      ])
      const isListed = (one: string) => known?.addresses.has(normalizeAddress(one) ?? '') === true
      return {
        blockList:
          list === undefined ? ('off' as const) : known ? ('read' as const) : ('missing' as const),
        listed: [
          ...(known && hasOrigin(known, origin) ? [origin] : []),
          ...addresses.filter(isListed),
        ],
        young: ages.flatMap(({ address, ageSeconds }) =>
          ageSeconds === undefined ? [] : [{ address, ageSeconds }],
        ),
      }
    },
  })
  return app
}

/** Ages of contracts, each looked up once; what is not known in time is left out, and known the next time. */
function createAges(upstreams: Pick<Upstreams, 'nodes'>) {
  const made = new Map<string, { finding: Promise<number | undefined>; untilMs: number }>()
  const find = async (chainId: ChainId, address: string) => {
    const [node] = await upstreams.nodes(chainId)
    if (!node) return undefined
    const ask: AskMany = async (calls) => {
      const signal = AbortSignal.timeout(10_000)
      const answer = await node.request(
        calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) })),
        signal,
      )
      return 'replies' in answer
        ? answer.replies.map((one) => (one.error === undefined ? one.result : undefined))
        : []
    }
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const age = await findContractAge(ask, { address, nowSeconds })
    return age === undefined ? undefined : nowSeconds - age
  }
  return async (chainId: ChainId, address: string, signal: AbortSignal) => {
    const name = `${chainId} ${address.toLowerCase()}`
    if (made.size > maxKept) made.clear()
    const kept = made.get(name)
    const finding =
      kept && kept.untilMs > Date.now()
        ? kept.finding
        : find(chainId, address).catch(() => undefined)
    if (finding !== kept?.finding) made.set(name, { finding, untilMs: Date.now() + keptMs })
    const both = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
    const late = new Promise<undefined>((resolve) => {
      both.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const madeAt = await Promise.race([finding, late])
    return madeAt === undefined ? undefined : Math.max(0, Math.floor(Date.now() / 1_000) - madeAt)
  }
}
