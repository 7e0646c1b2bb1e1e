import type { HttpBindings } from '@hono/node-server'
import { type ChainId, decodeBase58, readTokenNamesRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import { nativeAddress } from '../evm/address.ts'
import { findChain } from '../http/findChain.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { type PriceSources, readListedPrices, takeInTime } from '../simulation/readListedPrices.ts'
import { isSolanaChain } from '../solana/chain.ts'
import { hideBait } from '../tokens/spam.ts'
import { tokenKey } from '../tokens/token.ts'
import { createTokenFacts } from '../tokens/tokenFacts.ts'

const maxLength = 80

/**
 * `POST /api/token-names`: names of tokens, from the lists or else from the contracts, and prices
 * of the listed tokens.
 */
export function tokenNameRoutes(
  services: Services,
  {
    auth,
    upstreams,
    prices: sources,
  }: { readonly auth: Auth; readonly upstreams: Upstreams; readonly prices: PriceSources },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const getFacts = createTokenFacts({ ...services, upstreams })
  addOpenRoute(app, auth, {
    route: readTokenNamesRoute,
    async work({ body }) {
      const found = findChain(services.config, body.chainId)
      if (!found) return { tokens: [] }
      const { chainId } = found
      const reading = readListedPrices(sources, {
        chainId,
        tokens: [nativeAddress, ...new Set(body.addresses.map(tokenKey))],
      })
      const { tokens: listed } = await sources.getListed(chainId)
      const isUnknown = (address: string) =>
        !listed.has(tokenKey(address)) && isAddress(chainId, address)
      const [facts, prices] = await Promise.all([
        getFacts(chainId, body.addresses.filter(isUnknown)),
        takeInTime([reading]),
      ])
      const tokens = body.addresses.flatMap((address) => {
        const known = listed.get(tokenKey(address))
        const said = facts.get(address)
        const name = known?.name ?? hideBait(said?.name ?? null)
        const symbol = known?.symbol ?? hideBait(said?.symbol ?? null)
        return name || symbol ? [{ address, name: cut(name), symbol: cut(symbol) }] : []
      })
      return { tokens, ...(prices.length > 0 && { prices }) }
    },
  })
  return app
}

/** A node refuses a whole request because of one invalid address. */
const isAddress = (chainId: ChainId, text: string) =>
  isSolanaChain(chainId) ? decodeBase58(text)?.length === 32 : /^0x[0-9a-fA-F]{40}$/.test(text)

const cut = (text: string | null | undefined) => text?.slice(0, maxLength) ?? null
