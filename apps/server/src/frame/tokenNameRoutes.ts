import type { HttpBindings } from '@hono/node-server'
import { type ChainId, decodeBase58, readTokenNames } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { mountOpen } from '../auth/mount.ts'
import { findChain } from '../http/findChain.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import type { Services } from '../services.ts'
import { isSolanaChain } from '../solana/chain.ts'
import { indexListedTokens } from '../tokens/listedTokens.ts'
import { openTokenLists } from '../tokens/openTokenLists.ts'
import { tokenKey } from '../tokens/token.ts'
import { createTokenFacts } from '../tokens/tokenFacts.ts'

const maxLength = 80

/** `POST /api/token-names`: what tokens are called, by the lists, else by themselves. */
export function tokenNameRoutes(
  services: Services,
  {
    auth,
    upstreams,
    outbound,
  }: { readonly auth: Auth; readonly upstreams: Upstreams; readonly outbound: Outbound },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const getListed = indexListedTokens(services, openTokenLists({ ...services, outbound }))
  const getFacts = createTokenFacts({ ...services, upstreams })
  mountOpen(app, auth, {
    route: readTokenNames,
    async work({ body }) {
      const found = findChain(services.config, body.chainId)
      if ('failure' in found) return { tokens: [] }
      const { chainId } = found
      const { tokens: listed } = await getListed(chainId)
      const isUnknown = (address: string) =>
        !listed.has(tokenKey(address)) && isAddress(chainId, address)
      const facts = await getFacts(chainId, body.addresses.filter(isUnknown))
      const tokens = body.addresses.flatMap((address) => {
        const { name, symbol } = listed.get(tokenKey(address)) ?? facts.get(address) ?? {}
        return name || symbol ? [{ address, name: cut(name), symbol: cut(symbol) }] : []
      })
      return { tokens }
    },
  })
  return app
}

/** A node refuses a whole request because of one invalid address. */
const isAddress = (chainId: ChainId, text: string) =>
  isSolanaChain(chainId) ? decodeBase58(text)?.length === 32 : /^0x[0-9a-fA-F]{40}$/.test(text)

const cut = (text: string | null | undefined) => text?.slice(0, maxLength) ?? null
