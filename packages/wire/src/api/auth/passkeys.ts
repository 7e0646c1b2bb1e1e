import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { byteText } from '../vault/vaultShapes.ts'
import { stepUpAction, tokens } from './auth.ts'

/** 256 random bits, base64url: valid once, for one purpose of one device key. */
const challenge = byteText(32, 32)
const credentialId = byteText(1, 1023)
const clientData = byteText(1, 4_096)

/**
 * The purpose of a passkey request: to register the passkey, to begin an account with it, to sign
 * in, or to confirm one action.
 */
export const passkeyPurpose = z.enum(['register', 'account', 'login', 'step-up'])
export type PasskeyPurpose = z.infer<typeof passkeyPurpose>

/**
 * `POST /api/passkeys/start`: a challenge, valid for five minutes, once, and for nothing else.
 * Proof; for `register` and `step-up` also a session. `action` belongs to `step-up`; `export` also
 * to `login`. `credentialIds`: for `step-up` the passkeys that can confirm, for `register` the
 * passkeys already registered. `isCodeEnough`: nothing needs a passkey. Throws STEP_UP_NEEDED (to
 * register a passkey if the user has a wallet), WALLET_NOT_ENROLLED, LOGIN_THROTTLED, and
 * INVALID_PARAMS for `account` if the server makes no such accounts.
 */
export const startPasskeyRoute = {
  method: 'POST',
  path: '/api/passkeys/start',
  body: z.object({
    purpose: passkeyPurpose,
    projectId: z.string().check(z.minLength(1), z.maxLength(128)),
    origin: z.string().check(z.minLength(1), z.maxLength(300)),
    action: z.optional(stepUpAction),
  }),
  result: z.object({
    challenge,
    /** `user.id` of a new passkey. */
    userHandle: z.optional(byteText(32, 32)),
    credentialIds: z.array(credentialId),
    isCodeEnough: z.boolean(),
  }),
} as const satisfies Route

/**
 * `POST /api/passkeys`: the user's passkeys that, in addition to recovery, can sign in and confirm.
 * `first`: the passkey that began the account, while no passkey recovers the wallet. Session.
 */
export const listPasskeysRoute = {
  method: 'POST',
  path: '/api/passkeys',
  body: z.object({}),
  result: z.object({
    credentialIds: z.array(credentialId),
    first: z.optional(credentialId),
  }),
} as const satisfies Route

/** The response of a new passkey (WebAuthn `AuthenticatorAttestationResponse`). */
export const newPasskey = z.object({
  id: credentialId,
  clientDataJSON: clientData,
  attestationObject: byteText(1, 8_192),
})
export type NewPasskey = z.infer<typeof newPasskey>

/**
 * `POST /api/passkeys/register`: stores the public key of a new passkey. It counts while it is also
 * a way to recover the wallet. Session. Throws PASSKEY_REFUSED.
 */
export const registerPasskeyRoute = {
  method: 'POST',
  path: '/api/passkeys/register',
  body: z.object({ challenge, passkey: newPasskey }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/passkeys/account`: begins an account without an email address, with the new passkey as
 * its sign-in, and a session of the device key. Proof, of the key that has the challenge. Throws
 * PASSKEY_REFUSED, LOGIN_THROTTLED.
 */
export const createAccountRoute = {
  method: 'POST',
  path: '/api/passkeys/account',
  body: z.object({ challenge, passkey: newPasskey }),
  result: tokens,
} as const satisfies Route

/** The signature of a passkey (WebAuthn `AuthenticatorAssertionResponse`). */
export const passkeyAnswer = z.object({
  id: credentialId,
  clientDataJSON: clientData,
  authenticatorData: byteText(37, 4_096),
  signature: byteText(1, 1_024),
  userHandle: z.optional(byteText(0, 64)),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/**
 * `POST /api/passkeys/verify`: exchanges a passkey's response for a session, or for a step-up in
 * the present session. Proof, and the session if the caller has one. Throws PASSKEY_REFUSED.
 */
export const verifyPasskeyRoute = {
  method: 'POST',
  path: '/api/passkeys/verify',
  body: z.object({ challenge, answer: passkeyAnswer }),
  result: tokens,
} as const satisfies Route

/**
 * `POST /api/passkeys/lost`: reports that the user cannot use a passkey. After a day, codes are
 * enough again for a week, unless a passkey confirms something before then. Session, of a device
 * that holds the wallet, with a step-up `lost passkey`. Throws STEP_UP_NEEDED, WALLET_NOT_ENROLLED.
 */
export const reportLostPasskeyRoute = {
  method: 'POST',
  path: '/api/passkeys/lost',
  body: z.object({}),
  result: z.object({ codesFromMs: z.number() }),
} as const satisfies Route
