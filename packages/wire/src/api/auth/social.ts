import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { authHandle, authToken, stepUpAction, tokens } from './auth.ts'
import { socialProvider } from './socialProvider.ts'

const nothing = z.object({})

/**
 * The purpose of a social login: to sign in, to confirm one action, or to add the identity to the
 * account.
 */
export const socialPurpose = z.enum(['login', 'step-up', 'link'])
export type SocialPurpose = z.infer<typeof socialPurpose>

/**
 * `POST /api/social/start`: begins a login at a provider, for this device key. Proof; for a purpose
 * other than `login` also a session. `action` belongs to `step-up`; `export` also to `login`.
 * Throws INVALID_PARAMS (no such provider), LOGIN_THROTTLED, STEP_UP_NEEDED, OUTBOUND_FAILED.
 */
export const startSocialRoute = {
  method: 'POST',
  path: '/api/social/start',
  body: z.object({
    provider: socialProvider,
    projectId: z.string().check(z.minLength(1), z.maxLength(128)),
    origin: z.string().check(z.minLength(1), z.maxLength(300)),
    purpose: z._default(socialPurpose, 'login'),
    action: z.optional(stepUpAction),
  }),
  result: z.object({
    tx: authHandle,
    /**
     * Farcaster's URL of the request, for a QR code or a link. Farcaster does not use our popup.
     */
    url: z.optional(z.string()),
  }),
} as const satisfies Route

/**
 * `POST /api/social/open`: called once, by the popup that will open the provider's page. Sets the
 * cookie that binds the login to this browser. `challenge` must be confirmed by the frame that owns
 * the login. `page` is the popup's page: `social`, which any page can open, only begins a sign-in;
 * `visit`, which a frame opens, also confirms, links and exports. No proof. Throws LOGIN_ENDED.
 */
export const openSocialRoute = {
  method: 'POST',
  path: '/api/social/open',
  body: z.object({ tx: authHandle, page: z._default(z.enum(['social', 'visit']), 'social') }),
  result: z.object({ challenge: authToken, provider: socialProvider, origin: z.string() }),
} as const satisfies Route

/**
 * `POST /api/social/confirm`: the frame that owns the login has reached its popup: before the
 * provider's page or, if they cannot reach each other, after it. A login cannot finish without
 * this. Proof. Throws LOGIN_ENDED.
 */
export const confirmSocialRoute = {
  method: 'POST',
  path: '/api/social/confirm',
  body: z.object({ tx: authHandle, challenge: authToken }),
  result: nothing,
} as const satisfies Route

/**
 * Why a login at a provider returns no tokens: the user did not allow it or the provider failed.
 * For a signed-in user also: the identity does not belong to the account that it should confirm, or
 * already has another account.
 */
export const socialRefusal = z.enum(['not allowed', 'failed', 'other account', 'in use'])
export type SocialRefusal = z.infer<typeof socialRefusal>

/**
 * `POST /api/social/finish`: waits up to 20 s for the provider's response and the confirmation;
 * without `tokens` and `refused`, repeat the call. `strayed`: the popup has closed without a
 * response to this login. The login continues, and a caller that sends `strayed` back does not get
 * it again. Proof, and the session if the caller has one. Throws LOGIN_ENDED.
 */
export const finishSocialRoute = {
  method: 'POST',
  path: '/api/social/finish',
  body: z.object({ tx: authHandle, strayed: z.optional(z.literal(true)) }),
  result: z.object({
    tokens: z.optional(tokens),
    refused: z.optional(socialRefusal),
    strayed: z.optional(z.literal(true)),
  }),
} as const satisfies Route

const identity = z.object({
  id: z.string(),
  provider: socialProvider,
  name: z.string(),
  createdAtMs: z.number(),
  /**
   * The identity is older than the email address. It can therefore confirm the removal of the
   * address, and no code removes it. Missing from older servers.
   */
  precedesEmail: z.optional(z.boolean()),
})

/**
 * `POST /api/identities`: the ways to sign in to this account, and the providers that the server
 * has. `beganWithPasskey`: a passkey began the account, and signs in to it. Session.
 */
export const listIdentitiesRoute = {
  method: 'POST',
  path: '/api/identities',
  body: nothing,
  result: z.object({
    identities: z.array(identity),
    providers: z.array(socialProvider),
    beganWithPasskey: z.optional(z.boolean()),
  }),
} as const satisfies Route
export type SignInIdentity = z.infer<typeof identity>

/**
 * `POST /api/identities/unlink`: removes a way to sign in. Session with a step-up. Throws
 * STEP_UP_NEEDED, INVALID_PARAMS (it is the last), VAULT_NOT_FOUND, WALLET_NOT_ENROLLED.
 */
export const unlinkIdentityRoute = {
  method: 'POST',
  path: '/api/identities/unlink',
  body: z.object({ id: z.string().check(z.maxLength(64)) }),
  result: nothing,
} as const satisfies Route
