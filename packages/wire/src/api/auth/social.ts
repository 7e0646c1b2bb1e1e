import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { authHandle, authToken, stepUpAction, tokens } from './auth.ts'
import { socialProvider } from './socialProvider.ts'

const nothing = z.object({})

/**
 * What a social login is for: to sign in, to confirm one action, or to add the identity to the
 * account.
 */
export const socialPurpose = z.enum(['login', 'step-up', 'link'])
export type SocialPurpose = z.infer<typeof socialPurpose>

/**
 * `POST /api/social/start`: begins a login at a provider, for this device key. Proof; for another
 * purpose than `login` also a session. `action` goes with `step-up`, and `export` with `login` too.
 * Throws INVALID_PARAMS (no such provider), LOGIN_THROTTLED, STEP_UP_NEEDED, OUTBOUND_FAILED.
 */
export const startSocial = {
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
    /** Farcaster's address of the request, for a QR code or a link. It has no window of ours. */
    url: z.optional(z.string()),
  }),
} as const satisfies Route

/**
 * `POST /api/social/open`: called once, by the window that will go to the provider. Sets the cookie
 * that binds the login to this browser. `challenge` must be confirmed by the frame that owns the
 * login. `page` is that of the window: `social`, which any page can open, begins a sign-in and
 * nothing else; `visit`, which a frame opens, confirms, links and exports too. No proof. Throws
 * LOGIN_ENDED.
 */
export const openSocial = {
  method: 'POST',
  path: '/api/social/open',
  body: z.object({ tx: authHandle, page: z._default(z.enum(['social', 'visit']), 'social') }),
  result: z.object({ challenge: authToken, provider: socialProvider, origin: z.string() }),
} as const satisfies Route

/**
 * `POST /api/social/confirm`: the frame that owns the login has met its window, before the provider
 * or, where they cannot reach each other, after it. Without that, no login is finished. Proof.
 * Throws LOGIN_ENDED.
 */
export const confirmSocial = {
  method: 'POST',
  path: '/api/social/confirm',
  body: z.object({ tx: authHandle, challenge: authToken }),
  result: nothing,
} as const satisfies Route

/**
 * Why a login at a provider gives no tokens: the user did not allow it, the provider failed, and
 * for a signed-in user: the identity does not belong to the account that it should confirm, or
 * already has an account of its own.
 */
export const socialRefusal = z.enum(['not allowed', 'failed', 'other account', 'in use'])
export type SocialRefusal = z.infer<typeof socialRefusal>

/**
 * `POST /api/social/finish`: waits up to 20 s for the provider's answer and the confirmation; with
 * neither `tokens` nor `refused`, ask again. `strayed`: the window has ended without an answer to
 * this login; the login goes on, and a caller that sends `strayed` back is not told again. Proof,
 * and the session where there is one. Throws LOGIN_ENDED.
 */
export const finishSocial = {
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
   * It is older than the e-mail address, and so confirms that this is removed; no code removes it.
   * An older server does not say so.
   */
  precedesEmail: z.optional(z.boolean()),
})

/**
 * `POST /api/identities`: the ways to sign in to this account, and the providers that the server
 * has. Session.
 */
export const listIdentities = {
  method: 'POST',
  path: '/api/identities',
  body: nothing,
  result: z.object({ identities: z.array(identity), providers: z.array(socialProvider) }),
} as const satisfies Route
export type SignInIdentity = z.infer<typeof identity>

/**
 * `POST /api/identities/unlink`: removes a way to sign in. Session with a step-up. Throws
 * STEP_UP_NEEDED, INVALID_PARAMS (it is the last), VAULT_NOT_FOUND, WALLET_NOT_ENROLLED.
 */
export const unlinkIdentity = {
  method: 'POST',
  path: '/api/identities/unlink',
  body: z.object({ id: z.string().check(z.maxLength(64)) }),
  result: nothing,
} as const satisfies Route
