import type { HttpBindings } from '@hono/node-server'
import {
  confirmSession,
  endPermissionSession,
  grantSession,
  LatchkeyError,
  readSessions as readSessionsRoute,
} from '@latchkey/wire'
import { Hono } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { mountOpen } from '../auth/mount.ts'
import type { Services } from '../services.ts'
import { describeSession } from './describeSession.ts'
import { findAccount } from './findAccount.ts'
import { mayRevoke } from './routes.ts'
import type { Account, Sessions } from './session.ts'
import { activate, findSession, openSession, readSessions, revoke } from './sessionStore.ts'

/** What the secure frame asks: it knows which origin a page has. Grants and their end are read from the chain. */
export function frameSessionRoutes(
  { config }: Pick<Services, 'config'>,
  { auth, sessions }: { readonly auth: Auth; readonly sessions: Sessions },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const read = (text: string): Account => {
    const account = findAccount(config, text)
    if ('failure' in account) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    return account
  }
  mountOpen(app, auth, {
    route: grantSession,
    async work({ body: { account, grant, ...page } }) {
      const { publicKey, ...session } = await openSession(sessions, {
        account: read(account),
        grant,
        page,
      })
      return { ...session, key: { type: 'secp256k1' as const, publicKey } }
    },
  })
  mountOpen(app, auth, {
    route: confirmSession,
    async work({ body: { account, pci } }) {
      await activate(sessions, await findSession(sessions, { account: read(account), pci }))
      return {}
    },
  })
  mountOpen(app, auth, {
    route: readSessionsRoute,
    async work({ body }) {
      const found = await readSessions(sessions, { account: read(body.account) })
      return { sessions: await Promise.all(found.map((one) => describeSession(sessions, one))) }
    },
  })
  mountOpen(app, auth, {
    route: endPermissionSession,
    async work({ body: { account, pci } }) {
      const session = await findSession(sessions, { account: read(account), pci })
      if (!(await mayRevoke(sessions, session)))
        throw new LatchkeyError('SIGNING_REFUSED', {
          data: { reason: 'the chain has not revoked it' },
        })
      if (session.row.revoked_at === null) await revoke(sessions, session)
      return {}
    },
  })
  return app
}
