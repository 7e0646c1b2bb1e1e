import type { HttpBindings } from '@hono/node-server'
import { type ChainId, readRisksRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import { findChain } from '../http/findChain.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import type { Services } from '../services.ts'
import { createContractAges } from './contractAges.ts'
import { findMisnamed, type NameSources } from './findMisnamed.ts'
import { openBlockList } from './openBlockList.ts'
import { hasOrigin, normalizeAddress } from './parseBlockList.ts'

const maxAged = 5
const fetchMs = 20_000
const accept = ['text/*', 'application/json', 'application/octet-stream']

/**
 * `POST /api/risks`: the operator's block list, contracts that are new, and tokens with
 * misleading names.
 */
export function riskRoutes(
  { config, log }: Pick<Services, 'config' | 'log'>,
  {
    auth,
    upstreams,
    outbound,
    tokens: sources,
  }: {
    readonly auth: Auth
    readonly upstreams: Upstreams
    readonly outbound: Outbound
    readonly tokens: NameSources
  },
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
  const getAge = createContractAges(upstreams)
  addOpenRoute(app, auth, {
    route: readRisksRoute,
    async work({ body: { origin, chainId, addresses }, signal }) {
      const found = chainId === undefined ? undefined : findChain(config, chainId)
      const evm = found?.chainId.startsWith('eip155:') ? found.chainId : undefined
      const evmAddresses = evm ? addresses.filter((one) => /^0x[0-9a-f]{40}$/i.test(one)) : []
      const [known, ages, misnamed] = await Promise.all([
        list?.read(),
        Promise.all(
          evmAddresses.slice(0, maxAged).map(async (address) => ({
            address,
            ageSeconds: await getAge({ chainId: evm as ChainId, address, signal }),
          })),
        ),
        evm ? findMisnamed(sources, { chainId: evm as ChainId, addresses: evmAddresses }) : [],
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
        ...(misnamed.length > 0 && { misnamed }),
      }
    },
  })
  return app
}
