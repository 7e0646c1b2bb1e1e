import type { HttpBindings } from '@hono/node-server'
import * as wire from '@latchkey/wire'
import { Hono } from 'hono'
import { isTrustedPage } from '../projects/trustedPages.ts'
import type { Auth } from './auth.ts'
import { addEmail } from './email/addEmail.ts'
import {
  changeEmail,
  resendEmailCode,
  verifyPrimaryEmail,
  verifySecondaryEmail,
} from './email/changeEmail.ts'
import { removeEmail } from './email/removeEmail.ts'
import { readUndoLink, undoEmailChange } from './email/undoEmail.ts'
import { awaitDevice } from './login/awaitDevice.ts'
import { approveDeviceLink, readDeviceLink } from './login/deviceLink.ts'
import { resendLogin } from './login/resendLogin.ts'
import { startLogin } from './login/startLogin.ts'
import { verifyLogin } from './login/verifyLogin.ts'
import { mountOpen, mountProven, mountSession } from './mount.ts'
import { reportLostPasskey } from './passkeys/lostPasskey.ts'
import { readPasskeys } from './passkeys/passkeys.ts'
import { registerPasskey } from './passkeys/registerPasskey.ts'
import { startPasskey } from './passkeys/startPasskey.ts'
import { verifyPasskey } from './passkeys/verifyPasskey.ts'
import {
  answerRendezvous,
  awaitRendezvous,
  offerRendezvous,
  takeRendezvous,
} from './rendezvous/rendezvous.ts'
import { endSession, readMe } from './session/endSession.ts'
import { createNonce } from './session/proof.ts'
import { refreshSession } from './session/refreshSession.ts'
import { confirmSocial, openSocial } from './social/confirmSocial.ts'
import { finishSocial } from './social/finishSocial.ts'
import { listIdentities, unlinkIdentity } from './social/identities.ts'
import { socialCookie } from './social/oauthRoutes.ts'
import { startSocial } from './social/startSocial.ts'

/**
 * Logins by email, at providers and with passkeys, sessions, email change and the links in mails,
 * under `/api`.
 */
export function authRoutes(auth: Auth): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  mountOpen(app, auth, {
    route: wire.createNonce,
    work: async () => ({ nonce: createNonce(auth) }),
  })
  mountProven(app, auth, { route: wire.startLogin, work: (call) => startLogin(auth, call) })
  mountProven(app, auth, { route: wire.resendLogin, work: (call) => resendLogin(auth, call) })
  mountProven(app, auth, { route: wire.awaitDevice, work: (call) => awaitDevice(auth, call) })
  mountProven(app, auth, { route: wire.verifyLogin, work: (call) => verifyLogin(auth, call) })
  mountProven(app, auth, { route: wire.refreshSession, work: (call) => refreshSession(auth, call) })
  mountProven(app, auth, { route: wire.startSocial, work: (call) => startSocial(auth, call) })
  mountOpen(app, auth, {
    route: wire.openSocial,
    work: async (call) => {
      const { cookie, result } = await openSocial(auth, call)
      call.setCookie(socialCookie(auth.config, { value: cookie, provider: result.provider }))
      return result
    },
  })
  mountProven(app, auth, { route: wire.confirmSocial, work: (call) => confirmSocial(auth, call) })
  mountProven(app, auth, { route: wire.finishSocial, work: (call) => finishSocial(auth, call) })
  mountProven(app, auth, {
    route: wire.offerRendezvous,
    work: (call) => offerRendezvous(auth, call),
  })
  mountOpen(app, auth, { route: wire.takeRendezvous, work: (call) => takeRendezvous(auth, call) })
  mountOpen(app, auth, {
    route: wire.answerRendezvous,
    work: (call) => answerRendezvous(auth, call),
  })
  mountProven(app, auth, {
    route: wire.awaitRendezvous,
    work: (call) => awaitRendezvous(auth, call),
  })
  mountSession(app, auth, {
    route: wire.listIdentities,
    work: (call) => listIdentities(auth, call),
  })
  mountSession(app, auth, {
    route: wire.unlinkIdentity,
    work: (call) => unlinkIdentity(auth, call),
  })
  mountProven(app, auth, { route: wire.startPasskey, work: (call) => startPasskey(auth, call) })
  mountProven(app, auth, { route: wire.verifyPasskey, work: (call) => verifyPasskey(auth, call) })
  mountSession(app, auth, {
    route: wire.listPasskeys,
    work: async ({ session }) => ({
      credentialIds: await readPasskeys(auth, session.userId),
    }),
  })
  mountSession(app, auth, {
    route: wire.registerPasskey,
    work: (call) => registerPasskey(auth, call),
  })
  mountSession(app, auth, {
    route: wire.reportLostPasskey,
    work: (call) => reportLostPasskey(auth, call),
  })
  mountSession(app, auth, { route: wire.endSession, work: (call) => endSession(auth, call) })
  mountSession(app, auth, { route: wire.readMe, work: (call) => readMe(auth, call) })
  mountSession(app, auth, { route: wire.changeEmail, work: (call) => changeEmail(auth, call) })
  mountSession(app, auth, { route: wire.addEmail, work: (call) => addEmail(auth, call) })
  mountSession(app, auth, { route: wire.removeEmail, work: (call) => removeEmail(auth, call) })
  mountSession(app, auth, {
    route: wire.verifyPrimaryEmail,
    work: (call) => verifyPrimaryEmail(auth, call),
  })
  mountSession(app, auth, {
    route: wire.verifySecondaryEmail,
    work: (call) => verifySecondaryEmail(auth, call),
  })
  mountSession(app, auth, {
    route: wire.resendEmailCode,
    work: (call) => resendEmailCode(auth, call),
  })
  mountOpen(app, auth, { route: wire.readUndoLink, work: (call) => readUndoLink(auth, call) })
  mountOpen(app, auth, {
    route: wire.undoEmailChange,
    work: (call) => undoEmailChange(auth, call),
  })
  mountOpen(app, auth, { route: wire.readDeviceLink, work: (call) => readDeviceLink(auth, call) })
  mountOpen(app, auth, {
    route: wire.approveDeviceLink,
    work: (call) => approveDeviceLink(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.readPageTrust,
    work: async ({ body }) => ({ trusted: await isTrustedPage(auth.db, body) }),
  })
  return app
}
