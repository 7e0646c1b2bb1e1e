import type { HttpBindings } from '@hono/node-server'
import { LatchkeyError, readAssetsRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addSessionRoute } from '../auth/mount.ts'
import { type AssetSources, listAssets } from '../balance/listAssets.ts'
import { findChain } from '../http/findChain.ts'

/**
 * `POST /api/assets`: the assets of an account on a network. The secure frame passes them on to
 * pages that may see the account.
 */
export function assetRoutes(
  auth: Auth,
  sources: AssetSources,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  addSessionRoute(app, auth, {
    route: readAssetsRoute,
    async work({ body, address: client }) {
      const found = findChain(sources.config, body.chainId)
      if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      const { chainId } = found
      const owner = body.address.toLowerCase()
      const named = (body.tokens ?? []).map((token) => token.toLowerCase())
      return listAssets(sources, { chainId, owner, named, client })
    },
  })
  return app
}
