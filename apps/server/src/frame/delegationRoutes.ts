import type { HttpBindings } from '@hono/node-server'
import { endDelegationRoute, LatchkeyError } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Address } from 'viem'
import { addSessionRoute } from '../auth/mount.ts'
import type { Bundlers } from '../bundler/createBundlers.ts'
import { findChain } from '../http/findChain.ts'
import type { Services } from '../services.ts'
import type { Vault } from '../vault/vault.ts'
import { requireAccount } from '../vault/wallet/requireAccount.ts'

/** `POST /api/wallet/delegation/end`: for accounts that cannot pay for a transaction themselves. */
export function delegationRoutes(
  { config }: Pick<Services, 'config'>,
  { vault, bundlers }: { readonly vault: Vault; readonly bundlers: Bundlers },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  addSessionRoute(app, vault, {
    route: endDelegationRoute,
    async work({ session, body: { chainId, account, authorization } }) {
      const found = findChain(config, chainId)
      if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      await requireAccount(vault, { session, account, action: 'vault delegation end' })
      const given = { account: account as Address, authorization }
      const reply = await bundlers.endDelegation(found.chainId, given)
      if ('result' in reply) return {}
      const reason = reply.error.message
      if (!reason.startsWith('Not sponsored'))
        throw new LatchkeyError('SIGNING_REFUSED', { data: { reason } })
      const symbol = config.chains[found.chainId]?.nativeCurrency.symbol ?? ''
      throw new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })
    },
  })
  return app
}
