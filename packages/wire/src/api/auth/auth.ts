import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import type { SocialProvider } from './socialProvider.ts'

/** The purpose of a one-time code. A code is valid for its purpose only. */
export const codePurpose = z.enum(['login', 'step-up', 'recovery'])
export type CodePurpose = z.infer<typeof codePurpose>

/**
 * The only action that a code of purpose `step-up` allows: add a recovery method of a kind, remove
 * a recovery method by its id, create a new key, delete everything, show the recovery phrase, link
 * or unlink a sign-in method, create a wallet to move to, or drop a wallet by its id. Showing the
 * phrase of a wallet that is no longer in use takes the wallet's id. The mail names the action. A
 * passkey also confirms a change of email, by its handle, and one approval of an unlimited
 * allowance, by that approval's id. A sign-in at a provider also confirms the first address of an
 * account. Only a code confirms `lost passkey`. No code confirms `unlink email` or the removal of
 * an identity that is older than the address: these take such an identity, or a passkey that is at
 * least three days old.
 */
export const stepUpAction = z
  .string()
  .check(
    z.regex(
      /^(add (passkey|kit|operator)|(remove|drop) [0-9a-f]{32}|(un)?link (google|x|discord|farcaster|github|apple|facebook)|unlink email|new key|fresh wallet|delete|export( [0-9a-f]{32})?|lost passkey|(change|allow) [A-Za-z0-9_-]{22})$/,
    ),
  )
export type StepUpAction =
  | `add ${'passkey' | 'kit' | 'operator'}`
  | `${'remove' | 'drop' | 'export'} ${string}`
  | `${'link' | 'unlink'} ${SocialProvider}`
  | 'unlink email'
  | 'new key'
  | 'fresh wallet'
  | 'delete'
  | 'export'
  | 'lost passkey'
  | `change ${string}`
  | `allow ${string}`

/** 256 random bits, base64url. */
export const authToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
/** 128 random bits, base64url: a login, an email change or the secret of a link in a mail. */
export const authHandle = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))
/**
 * Six digits. The frame removes other characters around and between the digits of a pasted code.
 */
const code = z.string().check(z.regex(/^[0-9]{6}$/))
/** Two digits. The login page shows them, and the page that approves the login asks for them. */
const matchCode = z.string().check(z.regex(/^[0-9]{2}$/))
const email = z.string().check(z.minLength(1), z.maxLength(320))
const projectId = z.string().check(z.minLength(1), z.maxLength(128))
/** Origin of the page around the frame, for example `https://app.example`. */
const origin = z.string().check(z.minLength(1), z.maxLength(300))
const seconds = z.number()
/**
 * The page into which the user typed a code, if it was not the frame. The server accepts the code
 * only if the project trusts that page.
 */
const passingPage = z.object({ projectId, origin })
export type PassingPage = z.infer<typeof passingPage>
const nothing = z.object({})

/**
 * The claims of a proof (DPoP, RFC 9449). It is a compact JWS, `typ` `dpop+jwt`, `alg` ES256, with
 * the public key (`jwk`) in its header, sent as header `dpop` with every call whose description
 * mentions a proof. Instead of a clock, the server's `nonce` shows that it is new.
 */
export const proofClaims = z.object({
  /** `POST`. */
  htm: z.string(),
  /** The path only, for example `/api/login`. */
  htu: z.string(),
  /** Random, used once. */
  jti: z.string().check(z.minLength(16), z.maxLength(64)),
  /** The newest `dpop-nonce` of a response. */
  nonce: z.string(),
  /** SHA-256 of the body's bytes, base64url. */
  bh: z.string(),
  /** SHA-256 of the access token, base64url; present if and only if a token is sent. */
  ath: z.optional(z.string()),
})
export type ProofClaims = z.infer<typeof proofClaims>

/**
 * The body of every error response: `code` is a code from the table of errors, `data` has the
 * values for its message.
 */
export const apiFailure = z.object({
  status: z.literal('FAILED'),
  code: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  reasons: z.array(z.object({ field: z.string(), description: z.string() })),
})
export type ApiFailure = z.infer<typeof apiFailure>

/**
 * The result of a login or a refresh. The page stores `knownDevice`, which makes the device link
 * unnecessary next time and is useless by itself. `stepUpSeconds`: how long the code just entered
 * counts for its action, 0 if it had no action.
 */
export const tokens = z.object({
  accessToken: authToken,
  expiresInSeconds: seconds,
  refreshToken: authToken,
  knownDevice: z.optional(authToken),
  userId: z.string(),
  deviceId: z.string(),
  /** Null for an account without an address. */
  email: z.nullable(z.string()),
  /** The user's name at the provider of a social login. */
  userName: z.optional(z.string()),
  stepUpSeconds: seconds,
})
export type LoginTokens = z.infer<typeof tokens>

/**
 * `POST /api/nonce`: the first nonce of a page. No proof. Every response contains the next nonce as
 * `dpop-nonce`.
 */
export const createNonceRoute = {
  method: 'POST',
  path: '/api/nonce',
  body: nothing,
  result: z.object({ nonce: z.string() }),
} as const satisfies Route

/**
 * `POST /api/login`: mails a link (`VERIFY_DEVICE`) or a code (`VERIFY_OTP`). Proof; for a purpose
 * other than `login` also a session, whose email is then used. `action` belongs to `step-up`;
 * `export` also to `login`, for a sign-in on the page that shows the phrase. The response does not
 * reveal whether an account with this email exists.
 */
export const startLoginRoute = {
  method: 'POST',
  path: '/api/login',
  body: z.object({
    email: z.optional(email),
    projectId,
    origin,
    knownDevice: z.optional(z.string().check(z.maxLength(100))),
    purpose: z._default(codePurpose, 'login'),
    action: z.optional(stepUpAction),
  }),
  result: z.object({
    tx: authHandle,
    action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP']),
    /**
     * Missing for a page that the project trusts with codes: the link's page then asks yes or no.
     */
    matchCode: z.optional(matchCode),
    /** The mail with the link also has the code, which counts once the link is approved. */
    codeInLinkMail: z.optional(z.literal(true)),
    resendSeconds: seconds,
  }),
} as const satisfies Route

/** `POST /api/login/resend`: sends a new link or code and invalidates the previous one. Proof. */
export const resendLoginRoute = {
  method: 'POST',
  path: '/api/login/resend',
  body: z.object({ tx: authHandle }),
  result: z.object({ resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/login/device`: waits up to 20 s for the link to be approved; repeat the call while
 * `approved` is false. Proof.
 */
export const awaitDeviceRoute = {
  method: 'POST',
  path: '/api/login/device',
  body: z.object({ tx: authHandle }),
  result: z.object({ approved: z.boolean() }),
} as const satisfies Route

/**
 * `POST /api/login/verify`: exchanges the code for a session, or for a step-up in the present
 * session. Proof, and the session if the caller has one. `page` must be the page of the login, and
 * is only sent with a code that signs in. Throws CODE_NOT_TAKEN.
 */
export const verifyLoginRoute = {
  method: 'POST',
  path: '/api/login/verify',
  body: z.object({ tx: authHandle, code, page: z.optional(passingPage) }),
  result: tokens,
} as const satisfies Route

/**
 * `POST /api/session/refresh`: exchanges the refresh token for new tokens; it is then used up.
 * Proof, no access token.
 */
export const refreshSessionRoute = {
  method: 'POST',
  path: '/api/session/refresh',
  body: z.object({ refreshToken: authToken }),
  result: tokens,
} as const satisfies Route

/**
 * `POST /api/session/end`: signs out here or everywhere. To sign out everywhere, the device must
 * hold the wallet if the user has one. `forget`: this browser is no longer a known device and no
 * longer holds the wallet.
 */
export const endSessionRoute = {
  method: 'POST',
  path: '/api/session/end',
  body: z.object({
    everywhere: z.optional(z.boolean()),
    forget: z.optional(z.boolean()),
  }),
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/me`: the session's account. `stepUpSeconds`: how long a code still counts for
 * `action`, or how long it needs no code. `undoSeconds`: how long a change of email can be undone
 * and recovery has to wait. `hadNoEmail`: the account began without an address and got one later;
 * missing from older servers.
 */
export const readMeRoute = {
  method: 'POST',
  path: '/api/me',
  body: z.object({ action: z.optional(stepUpAction) }),
  result: z.object({
    userId: z.string(),
    deviceId: z.string(),
    email: z.nullable(z.string()),
    hadNoEmail: z.optional(z.boolean()),
    stepUpSeconds: seconds,
    undoSeconds: seconds,
  }),
} as const satisfies Route

/**
 * `POST /api/email/change`: mails a code to the current address, in a mail that names `to`: the new
 * address exactly as the user saw it and agreed to it. It is refused unless it has the form in
 * which addresses are stored. A frame that sends no `to` is outdated and has to be reloaded.
 * Without a current address nothing is mailed yet: the user confirms `change TX` (`STEP_UP`), and
 * {@link addEmailRoute} follows. Session of a device that holds the wallet, if the user has one; a
 * first address requires a wallet. Throws WALLET_NOT_ENROLLED.
 */
export const changeEmailRoute = {
  method: 'POST',
  path: '/api/email/change',
  body: z.object({ to: z.optional(email) }),
  result: z.object({
    changeTx: authHandle,
    action: z.enum(['VERIFY_PRIMARY_OTP', 'STEP_UP']),
    resendSeconds: seconds,
  }),
} as const satisfies Route

/**
 * `POST /api/email/primary`: takes the code of the current address and mails a code to the new
 * address. Session; if the user has a passkey, with a step-up by it, `change TX`. Throws
 * STEP_UP_NEEDED, CODE_NOT_TAKEN.
 */
export const verifyPrimaryEmailRoute = {
  method: 'POST',
  path: '/api/email/primary',
  body: z.object({ changeTx: authHandle, code, page: z.optional(passingPage) }),
  result: z.object({ action: z.literal('VERIFY_SECONDARY_OTP'), resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/add`: mails a code to the first address of an account. Session, with a step-up
 * `change TX` by a passkey if the user has one, else by a sign-in at a provider. Throws
 * STEP_UP_NEEDED, EMAIL_CHANGE_ENDED.
 */
export const addEmailRoute = {
  method: 'POST',
  path: '/api/email/add',
  body: z.object({ changeTx: authHandle }),
  result: z.object({ action: z.literal('VERIFY_SECONDARY_OTP'), resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/secondary`: takes the code of the new address. After a change other sessions
 * end, and both addresses get a mail. Session. Throws EMAIL_CHANGE_ENDED, CODE_WRONG,
 * CODE_NOT_TAKEN.
 */
export const verifySecondaryEmailRoute = {
  method: 'POST',
  path: '/api/email/secondary',
  body: z.object({ changeTx: authHandle, code, page: z.optional(passingPage) }),
  result: z.object({ newEmail: z.string() }),
} as const satisfies Route

/** `POST /api/email/resend`: sends a new code for the current step. Session. */
export const resendEmailCodeRoute = {
  method: 'POST',
  path: '/api/email/resend',
  body: z.object({ changeTx: authHandle }),
  result: z.object({ resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/remove`: removes the address if another way to sign in remains, ends other
 * sessions, and notifies the mailbox. Session of a device that holds the wallet, with a step-up
 * `unlink email`. Throws STEP_UP_NEEDED, WALLET_NOT_ENROLLED, and INVALID_PARAMS if the address is
 * the last way to sign in, or if the wallet can be recovered with the operator's help by email.
 */
export const removeEmailRoute = {
  method: 'POST',
  path: '/api/email/remove',
  body: nothing,
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/email/undo-link`: the change that the link in the old address's mail would undo. No
 * proof: the link works in any browser.
 */
export const readUndoLinkRoute = {
  method: 'POST',
  path: '/api/email/undo-link',
  body: z.object({ secret: authHandle }),
  result: z.object({ email: z.string(), changedAtMs: z.number(), expiresInSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/undo`: restores the old address; only browsers that hold the wallet stay signed
 * in. No proof.
 */
export const undoEmailChangeRoute = {
  method: 'POST',
  path: '/api/email/undo',
  body: z.object({ secret: authHandle }),
  result: z.object({ email: z.string() }),
} as const satisfies Route

/**
 * `POST /api/device-link`: the data for the page of a device link. Approves nothing. No proof: the
 * link works in any browser.
 */
export const readDeviceLinkRoute = {
  method: 'POST',
  path: '/api/device-link',
  body: z.object({ secret: authHandle }),
  result: z.object({
    origin: z.string(),
    /** Name of browser and system, for example `Firefox on Linux`. */
    browser: z.string(),
    startedAtMs: z.number(),
    expiresInSeconds: seconds,
    approved: z.boolean(),
    /**
     * The page of the link requests yes or no: the project trusts the page of the login, so no
     * digits are shown.
     */
    withoutDigits: z.optional(z.literal(true)),
    /** The mail with the link also has the code. */
    codeInLinkMail: z.optional(z.literal(true)),
  }),
} as const satisfies Route

/**
 * `POST /api/device-link/approve`: approves with the two digits that the page of the login shows,
 * if digits are required. Mails the code unless the mail with the link has it. `refuse` ends the
 * login. No proof.
 */
export const approveDeviceLinkRoute = {
  method: 'POST',
  path: '/api/device-link/approve',
  body: z.object({
    secret: authHandle,
    matchCode: z.optional(matchCode),
    refuse: z.optional(z.literal(true)),
  }),
  result: z.object({ approved: z.boolean() }),
} as const satisfies Route

/**
 * `POST /api/page-trust`: whether the project trusts a page with codes. Such a page needs no
 * consent and may use a hidden frame. No proof.
 */
export const readPageTrustRoute = {
  method: 'POST',
  path: '/api/page-trust',
  body: passingPage,
  result: z.object({ trusted: z.boolean() }),
} as const satisfies Route
