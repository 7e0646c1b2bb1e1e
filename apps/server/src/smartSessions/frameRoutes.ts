import type { HttpBindings } from '@hono/node-server'
import {
  confirmSessionRoute,
  endPermissionSessionRoute,
  grantSessionRoute,
  LatchkeyError,
  readSessionsRoute,
} from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { addOpenRoute } from '../auth/mount.ts'
import { takeClientTurn } from '../http/limitRate.ts'
import type { Services } from '../services.ts'
import { activateSession } from './activateSession.ts'
import { describeSession } from './describeSession.ts'
import { findAccount } from './findAccount.ts'
import { findOpened, openingCost, openSmartSession } from './openSession.ts'
import { mayRevoke } from './routes.ts'
import type { Account, SmartSessionsDeps } from './session.ts'
import { findSmartSession, readSessions, revoke } from './sessionStore.ts'

/**
 * The routes for the secure frame, which knows the origin of a page. Grants and their end are read
 * from the chain.
 */
export function frameSessionRoutes(
  services: Pick<Services, 'config' | 'kv' | 'log'>,
  { auth, sessions: deps }: { readonly auth: Auth; readonly sessions: SmartSessionsDeps },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const read = (text: string): Account => {
    const account = findAccount(services.config, text)
    if (account === undefined) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    return account
  }
  // The request itself has already paid for one.
  const pay = async (path: string, address: string, more: number) => {
    const limited =
      more > 0 ? await takeClientTurn(services, `frame ${path}`, address, more) : undefined
    if (limited)
      throw new LatchkeyError('RATE_LIMITED', { data: { seconds: limited.retryAfterSeconds ?? 1 } })
  }
  addOpenRoute(app, auth, {
    route: grantSessionRoute,
    async work({ body: { account, grant, v, ...page }, address }) {
      // If the page was opened before an update, the user would sign, and it would then fail.
      if (v === undefined)
        throw new LatchkeyError('SIGNING_REFUSED', {
          data: { reason: 'the wallet was updated in the meantime. Reload the page and try again' },
        })
      await pay(grantSessionRoute.path, address, openingCost - 1)
      const asked = { account: read(account), grant, page }
      const open = grant.signer.data.keys.length === 1 ? openSmartSession : findOpened
      const { publicKey, ...session } = await open(deps, asked)
      return { ...session, key: { type: 'secp256k1' as const, publicKey } }
    },
  })
  addOpenRoute(app, auth, {
    route: confirmSessionRoute,
    async work({ body: { account, pci, grant, ...page } }) {
      await activateSession(deps, { account: read(account), pci, grant, page })
      return {}
    },
  })
  addOpenRoute(app, auth, {
    route: readSessionsRoute,
    async work({ body: { account, projectId }, address }) {
      const found = await readSessions(deps, { account: read(account), projectId })
      // Each session causes a request to the chain.
      await pay(readSessionsRoute.path, address, found.length - 1)
      return { sessions: await Promise.all(found.map((one) => describeSession(deps, one))) }
    },
  })
  addOpenRoute(app, auth, {
    route: endPermissionSessionRoute,
    async work({ body: { account, pci } }) {
      const session = await findSmartSession(deps, { account: read(account), pci })
      if (!(await mayRevoke(deps, session)))
        throw new LatchkeyError('SIGNING_REFUSED', {
          data: { reason: 'the chain has not revoked it' },
        })
      if (session.row.revoked_at === null) await revoke(deps, session)
      return {}
    },
  })
  return app
}
