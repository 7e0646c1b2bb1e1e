import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import type { SocialProvider } from './socialProvider.ts'

/** What a one-time code is for. A code is valid for its purpose only. */
export const codePurpose = z.enum(['login', 'step-up', 'recovery'])
export type CodePurpose = z.infer<typeof codePurpose>

/**
 * What a code of purpose `step-up` allows, and nothing else: to add a way of recovery of a kind, to
 * remove one by its id, to make a new key, to delete everything, to see the recovery phrase, to
 * link or unlink a way to sign in, to create a wallet to move to, to drop a wallet by its id. To
 * see the phrase of a wallet that was left takes its id. The mail names it. A passkey also confirms
 * a change of e-mail, by its handle, a sign-in at a provider the first address of an account, and a
 * passkey one approval that lets others take without a limit, by an id of its own; only a code
 * confirms `lost passkey`. No code confirms `unlink email` or the removal of an identity from
 * before the address: such an identity, or a passkey of three days.
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
/** 128 random bits, base64url: a login, an e-mail change or the secret of a link in a mail. */
export const authHandle = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/))
/** Six digits. The frame removes what surrounds or separates them in a pasted text. */
const code = z.string().check(z.regex(/^[0-9]{6}$/))
/** Two digits, shown where a login began and asked for where it is approved. */
const matchCode = z.string().check(z.regex(/^[0-9]{2}$/))
const email = z.string().check(z.minLength(1), z.maxLength(320))
const projectId = z.string().check(z.minLength(1), z.maxLength(128))
/** Origin of the page around the frame, as `https://app.example`. */
const origin = z.string().check(z.minLength(1), z.maxLength(300))
const seconds = z.number()
/**
 * The page into which the user typed a code, if it was not the frame. The server takes the code
 * only if the project trusts that page.
 */
const passingPage = z.object({ projectId, origin })
export type PassingPage = z.infer<typeof passingPage>
const nothing = z.object({})

/**
 * The claims of a proof (DPoP, RFC 9449): a compact JWS, `typ` `dpop+jwt`, `alg` ES256, the public
 * key as `jwk` in its header, sent as header `dpop` with every call that says so. Clocks do not
 * matter: the server's `nonce` does.
 */
export const proofClaims = z.object({
  /** `POST`. */
  htm: z.string(),
  /** The path alone, as `/api/login`. */
  htu: z.string(),
  /** Random, used once. */
  jti: z.string().check(z.minLength(16), z.maxLength(64)),
  /** The newest `dpop-nonce` that an answer carried. */
  nonce: z.string(),
  /** SHA-256 of the body's bytes, base64url. */
  bh: z.string(),
  /** SHA-256 of the access token, base64url; there if and only if a token is sent. */
  ath: z.optional(z.string()),
})
export type ProofClaims = z.infer<typeof proofClaims>

/**
 * The body of every refusal: `code` is one of the table of errors, `data` what its text is filled
 * with.
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
 * counts for its action, 0 if it was for none.
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
  /** What the provider of a social login calls the user. */
  userName: z.optional(z.string()),
  stepUpSeconds: seconds,
})
export type Tokens = z.infer<typeof tokens>

/**
 * `POST /api/nonce`: the first nonce of a page. No proof. Later ones come with every answer, as
 * `dpop-nonce`.
 */
export const createNonce = {
  method: 'POST',
  path: '/api/nonce',
  body: nothing,
  result: z.object({ nonce: z.string() }),
} as const satisfies Route

/**
 * `POST /api/login`: mails a link (`VERIFY_DEVICE`) or a code (`VERIFY_OTP`). Proof; for another
 * purpose than `login` also a session, whose e-mail it is then. `action` goes with `step-up`, and
 * `export` with `login` too: signing in where the phrase is shown. The answer says nothing about
 * whether anybody has this e-mail.
 */
export const startLogin = {
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
    /** Missing for a page that the project trusts with codes: the link asks yes or no there. */
    matchCode: z.optional(matchCode),
    resendSeconds: seconds,
  }),
} as const satisfies Route

/** `POST /api/login/resend`: another link or code; the previous one is no longer valid. Proof. */
export const resendLogin = {
  method: 'POST',
  path: '/api/login/resend',
  body: z.object({ tx: authHandle }),
  result: z.object({ resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/login/device`: waits up to 20 s for the link to be approved; ask again while
 * `approved` is false. Proof.
 */
export const awaitDevice = {
  method: 'POST',
  path: '/api/login/device',
  body: z.object({ tx: authHandle }),
  result: z.object({ approved: z.boolean() }),
} as const satisfies Route

/**
 * `POST /api/login/verify`: the code for a session, or for a fresh one. Proof, and the session
 * where there is one. `page` must be the page of the login, and only a code that signs in comes
 * with it. Throws CODE_NOT_TAKEN.
 */
export const verifyLogin = {
  method: 'POST',
  path: '/api/login/verify',
  body: z.object({ tx: authHandle, code, page: z.optional(passingPage) }),
  result: tokens,
} as const satisfies Route

/**
 * `POST /api/session/refresh`: new tokens for the refresh token, which is used up. Proof, no access
 * token.
 */
export const refreshSession = {
  method: 'POST',
  path: '/api/session/refresh',
  body: z.object({ refreshToken: authToken }),
  result: tokens,
} as const satisfies Route

/**
 * `POST /api/session/end`: signs out, or out everywhere, for which the device must hold the wallet
 * if there is one. `forget`: this browser is no longer a known device and no longer holds the
 * wallet.
 */
export const endSession = {
  method: 'POST',
  path: '/api/session/end',
  body: z.object({
    everywhere: z.optional(z.boolean()),
    forget: z.optional(z.boolean()),
  }),
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/me`: whose session it is. `stepUpSeconds`: how long a code still counts for `action`.
 * `undoSeconds`: how long a change of e-mail can be undone and recovery has to wait. `hadNoEmail`:
 * the account began without an address and got one later; an older server does not say so.
 */
export const readMe = {
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
 * {@link addEmail} follows. Session, of a device that holds the wallet where there is one; a first
 * address requires a wallet. Throws WALLET_NOT_ENROLLED.
 */
export const changeEmail = {
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
 * `POST /api/email/primary`: the code of the current address; mails one to the new address.
 * Session; where the user has a passkey, with a step-up by it, `change TX`. Throws STEP_UP_NEEDED,
 * CODE_NOT_TAKEN.
 */
export const verifyPrimaryEmail = {
  method: 'POST',
  path: '/api/email/primary',
  body: z.object({ changeTx: authHandle, code, page: z.optional(passingPage) }),
  result: z.object({ action: z.literal('VERIFY_SECONDARY_OTP'), resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/add`: mails a code to the first address of an account. Session, with a step-up
 * `change TX` by a passkey where the user has one, else by a sign-in at a provider. Throws
 * STEP_UP_NEEDED, EMAIL_CHANGE_ENDED.
 */
export const addEmail = {
  method: 'POST',
  path: '/api/email/add',
  body: z.object({ changeTx: authHandle }),
  result: z.object({ action: z.literal('VERIFY_SECONDARY_OTP'), resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/secondary`: the code of the new address. After a change other sessions end, and
 * both addresses get a mail. Session. Throws EMAIL_CHANGE_ENDED, CODE_WRONG, CODE_NOT_TAKEN.
 */
export const verifySecondaryEmail = {
  method: 'POST',
  path: '/api/email/secondary',
  body: z.object({ changeTx: authHandle, code, page: z.optional(passingPage) }),
  result: z.object({ newEmail: z.string() }),
} as const satisfies Route

/** `POST /api/email/resend`: another code for the step that is due. Session. */
export const resendEmailCode = {
  method: 'POST',
  path: '/api/email/resend',
  body: z.object({ changeTx: authHandle }),
  result: z.object({ resendSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/remove`: removes the address, while another way to sign in remains, ends other
 * sessions, and tells the mailbox. Session of a device that holds the wallet, with a step-up
 * `unlink email`. Throws STEP_UP_NEEDED, WALLET_NOT_ENROLLED, and INVALID_PARAMS where it is the
 * last way to sign in, or the operator's help by e-mail recovers the wallet.
 */
export const removeEmail = {
  method: 'POST',
  path: '/api/email/remove',
  body: nothing,
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/email/undo-link`: what the link in the old address's mail would undo. No proof: it
 * opens anywhere.
 */
export const readUndoLink = {
  method: 'POST',
  path: '/api/email/undo-link',
  body: z.object({ secret: authHandle }),
  result: z.object({ email: z.string(), changedAtMs: z.number(), expiresInSeconds: seconds }),
} as const satisfies Route

/**
 * `POST /api/email/undo`: restores the old address; only browsers that hold the wallet stay signed
 * in. No proof.
 */
export const undoEmailChange = {
  method: 'POST',
  path: '/api/email/undo',
  body: z.object({ secret: authHandle }),
  result: z.object({ email: z.string() }),
} as const satisfies Route

/**
 * `POST /api/device-link`: what the page of a device link shows. Approves nothing. No proof: it
 * opens anywhere.
 */
export const readDeviceLink = {
  method: 'POST',
  path: '/api/device-link',
  body: z.object({ secret: authHandle }),
  result: z.object({
    origin: z.string(),
    /** Name of browser and system, as `Firefox on Linux`. */
    browser: z.string(),
    startedAtMs: z.number(),
    expiresInSeconds: seconds,
    approved: z.boolean(),
    /** The page asks yes or no: the project trusts the page of the login, which shows no digits. */
    withoutDigits: z.optional(z.literal(true)),
  }),
} as const satisfies Route

/**
 * `POST /api/device-link/approve`: with the two digits shown where the login began, if digits are
 * asked for. Mails the code. With `refuse` it ends the login. No proof.
 */
export const approveDeviceLink = {
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
 * `POST /api/page-trust`: whether the project trusts a page with codes, so that it needs no consent
 * and may use a hidden frame. No proof.
 */
export const readPageTrust = {
  method: 'POST',
  path: '/api/page-trust',
  body: passingPage,
  result: z.object({ trusted: z.boolean() }),
} as const satisfies Route
