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
import { createMounts } from './mount.ts'
import { createPasskeyAccount } from './passkeys/createPasskeyAccount.ts'
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
  const { open, proven, session } = createMounts(app, auth)
  open(wire.createNonceRoute, async () => ({ nonce: createNonce(auth) }))
  proven(wire.startLoginRoute, startLogin)
  proven(wire.resendLoginRoute, resendLogin)
  proven(wire.awaitDeviceRoute, awaitDevice)
  proven(wire.verifyLoginRoute, verifyLogin)
  proven(wire.refreshSessionRoute, refreshSession)
  proven(wire.startSocialRoute, startSocial)
  open(wire.openSocialRoute, async (_, call) => {
    const { cookie, result } = await openSocial(auth, call)
    call.setCookie(socialCookie(auth.config, { value: cookie, provider: result.provider }))
    return result
  })
  proven(wire.confirmSocialRoute, confirmSocial)
  proven(wire.finishSocialRoute, finishSocial)
  proven(wire.offerRendezvousRoute, offerRendezvous)
  open(wire.takeRendezvousRoute, takeRendezvous)
  open(wire.answerRendezvousRoute, answerRendezvous)
  proven(wire.awaitRendezvousRoute, awaitRendezvous)
  session(wire.listIdentitiesRoute, listIdentities)
  session(wire.unlinkIdentityRoute, unlinkIdentity)
  proven(wire.startPasskeyRoute, startPasskey)
  proven(wire.verifyPasskeyRoute, verifyPasskey)
  proven(wire.createAccountRoute, createPasskeyAccount)
  session(wire.listPasskeysRoute, async (_, { session: { userId } }) => {
    const [first] = await readPasskeys(auth, userId, 'first')
    return { credentialIds: await readPasskeys(auth, userId), ...(first && { first }) }
  })
  session(wire.registerPasskeyRoute, registerPasskey)
  session(wire.reportLostPasskeyRoute, reportLostPasskey)
  session(wire.endSessionRoute, endSession)
  session(wire.readMeRoute, readMe)
  session(wire.changeEmailRoute, changeEmail)
  session(wire.addEmailRoute, addEmail)
  session(wire.removeEmailRoute, removeEmail)
  session(wire.verifyPrimaryEmailRoute, verifyPrimaryEmail)
  session(wire.verifySecondaryEmailRoute, verifySecondaryEmail)
  session(wire.resendEmailCodeRoute, resendEmailCode)
  open(wire.readUndoLinkRoute, readUndoLink)
  open(wire.undoEmailChangeRoute, undoEmailChange)
  open(wire.readDeviceLinkRoute, readDeviceLink)
  open(wire.approveDeviceLinkRoute, approveDeviceLink)
  open(wire.readPageTrustRoute, async (_, { body }) => ({
    trusted: await isTrustedPage(auth.db, body),
  }))
  return app
}
