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
    route: wire.createNonceRoute,
    work: async () => ({ nonce: createNonce(auth) }),
  })
  mountProven(app, auth, { route: wire.startLoginRoute, work: (call) => startLogin(auth, call) })
  mountProven(app, auth, { route: wire.resendLoginRoute, work: (call) => resendLogin(auth, call) })
  mountProven(app, auth, { route: wire.awaitDeviceRoute, work: (call) => awaitDevice(auth, call) })
  mountProven(app, auth, { route: wire.verifyLoginRoute, work: (call) => verifyLogin(auth, call) })
  mountProven(app, auth, {
    route: wire.refreshSessionRoute,
    work: (call) => refreshSession(auth, call),
  })
  mountProven(app, auth, { route: wire.startSocialRoute, work: (call) => startSocial(auth, call) })
  mountOpen(app, auth, {
    route: wire.openSocialRoute,
    work: async (call) => {
      const { cookie, result } = await openSocial(auth, call)
      call.setCookie(socialCookie(auth.config, { value: cookie, provider: result.provider }))
      return result
    },
  })
  mountProven(app, auth, {
    route: wire.confirmSocialRoute,
    work: (call) => confirmSocial(auth, call),
  })
  mountProven(app, auth, {
    route: wire.finishSocialRoute,
    work: (call) => finishSocial(auth, call),
  })
  mountProven(app, auth, {
    route: wire.offerRendezvousRoute,
    work: (call) => offerRendezvous(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.takeRendezvousRoute,
    work: (call) => takeRendezvous(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.answerRendezvousRoute,
    work: (call) => answerRendezvous(auth, call),
  })
  mountProven(app, auth, {
    route: wire.awaitRendezvousRoute,
    work: (call) => awaitRendezvous(auth, call),
  })
  mountSession(app, auth, {
    route: wire.listIdentitiesRoute,
    work: (call) => listIdentities(auth, call),
  })
  mountSession(app, auth, {
    route: wire.unlinkIdentityRoute,
    work: (call) => unlinkIdentity(auth, call),
  })
  mountProven(app, auth, {
    route: wire.startPasskeyRoute,
    work: (call) => startPasskey(auth, call),
  })
  mountProven(app, auth, {
    route: wire.verifyPasskeyRoute,
    work: (call) => verifyPasskey(auth, call),
  })
  mountSession(app, auth, {
    route: wire.listPasskeysRoute,
    work: async ({ session }) => ({
      credentialIds: await readPasskeys(auth, session.userId),
    }),
  })
  mountSession(app, auth, {
    route: wire.registerPasskeyRoute,
    work: (call) => registerPasskey(auth, call),
  })
  mountSession(app, auth, {
    route: wire.reportLostPasskeyRoute,
    work: (call) => reportLostPasskey(auth, call),
  })
  mountSession(app, auth, { route: wire.endSessionRoute, work: (call) => endSession(auth, call) })
  mountSession(app, auth, { route: wire.readMeRoute, work: (call) => readMe(auth, call) })
  mountSession(app, auth, { route: wire.changeEmailRoute, work: (call) => changeEmail(auth, call) })
  mountSession(app, auth, { route: wire.addEmailRoute, work: (call) => addEmail(auth, call) })
  mountSession(app, auth, { route: wire.removeEmailRoute, work: (call) => removeEmail(auth, call) })
  mountSession(app, auth, {
    route: wire.verifyPrimaryEmailRoute,
    work: (call) => verifyPrimaryEmail(auth, call),
  })
  mountSession(app, auth, {
    route: wire.verifySecondaryEmailRoute,
    work: (call) => verifySecondaryEmail(auth, call),
  })
  mountSession(app, auth, {
    route: wire.resendEmailCodeRoute,
    work: (call) => resendEmailCode(auth, call),
  })
  mountOpen(app, auth, { route: wire.readUndoLinkRoute, work: (call) => readUndoLink(auth, call) })
  mountOpen(app, auth, {
    route: wire.undoEmailChangeRoute,
    work: (call) => undoEmailChange(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.readDeviceLinkRoute,
    work: (call) => readDeviceLink(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.approveDeviceLinkRoute,
    work: (call) => approveDeviceLink(auth, call),
  })
  mountOpen(app, auth, {
    route: wire.readPageTrustRoute,
    work: async ({ body }) => ({ trusted: await isTrustedPage(auth.db, body) }),
  })
  return app
}
