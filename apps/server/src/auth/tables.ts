import type { Generated, Selectable } from 'kysely'

type UserTable = {
  id: string
  /** Null for a user who has only signed in at other providers. */
  email_index: Uint8Array | null
  email_sealed: Uint8Array | null
  created_at: Date
  /** Until then the last change of email can be undone, and recovery by email is blocked. */
  undo_until: Date | null
  /**
   * When an account without an address got its first address; null if the account began with its
   * address.
   */
  email_added_at: Date | null
  /** When the owner reported that no passkey can be used. */
  passkey_lost_at: Date | null
}

/**
 * A browser of a user, identified by the thumbprint of its key (RFC 7638). On each site a browser
 * counts as a different one.
 */
type DeviceTable = {
  id: string
  user_id: string
  jkt: string
  name: string
  browser: string
  origin: string
  project_id: string
  created_at: Date
  last_seen_at: Date
  revoked_at: Date | null
}

type SessionTable = {
  id: string
  user_id: string
  device_id: string
  created_at: Date
  used_at: Date
  ends_at: Date
  ended_at: Date | null
  recovery_until: Date | null
}

/**
 * An action that a session may do after a code, which the mail of the code named, or after a
 * passkey.
 */
type StepUpTable = {
  session_id: string
  action: string
  by_passkey: Generated<boolean>
  /**
   * Until when it counts as confirmed by a sign-in from before the address, or by a passkey that is
   * old enough.
   */
  older_until: Date | null
  expires_at: Date
}

/**
 * A passkey whose public key is stored here. It counts while it is also a way to recover the user's
 * wallet, or while it is the passkey that began the account.
 */
type PasskeyTable = {
  /** base64url, as in `recovery_factors`. */
  credential_id: string
  user_id: string
  user_handle: Uint8Array
  /** COSE. */
  public_key: Uint8Array
  /** The highest signature counter that was seen; 0 for passkeys that do not count. */
  counter: number
  /** Whether the account began with it. */
  began_account: Generated<boolean>
  created_at: Date
}

type PasskeyChallengeTable = {
  hash: Uint8Array
  purpose: 'register' | 'account' | 'login' | 'step-up'
  action: string | null
  jkt: string
  session_id: string | null
  /** The page around the frame, or the frame's own origin. */
  origin: string
  project_id: string
  user_handle: Uint8Array | null
  expires_at: Date
}

type SessionTokenTable = {
  hash: Uint8Array
  session_id: string
  kind: 'access' | 'refresh'
  expires_at: Date
  used_at: Date | null
}

type KnownDeviceTable = {
  hash: Uint8Array
  user_id: string
  device_id: string
  origin: string
  project_id: string
  expires_at: Date
}

type LoginTable = {
  hash: Uint8Array
  purpose: 'login' | 'step-up' | 'recovery'
  /** The action that the code allows in addition to its purpose. */
  action: string | null
  email_index: Uint8Array
  email_sealed: Uint8Array
  session_id: string | null
  jkt: string
  origin: string
  project_id: string
  browser: string
  /** Empty for a page that its project trusts with codes: it shows no digits. */
  match_code: string
  known_hash: Uint8Array | null
  link_hash: Uint8Array | null
  link_tries: Generated<number>
  link_expires_at: Date | null
  /** When the browser was approved. Set at once for a known browser. */
  approved_at: Date | null
  finished_at: Date | null
  created_at: Date
  expires_at: Date
}

type CodeTable = {
  tx_hash: Uint8Array
  step: string
  code_hash: Uint8Array
  attempts: Generated<number>
  expires_at: Date
  consumed_at: Date | null
}

type EmailChangeTable = {
  hash: Uint8Array
  user_id: string
  session_id: string
  /** Null if the account gets its first address. */
  old_index: Uint8Array | null
  new_index: Uint8Array
  new_sealed: Uint8Array
  step: 'primary' | 'secondary' | 'done'
  created_at: Date
  expires_at: Date
}

type EmailUndoTable = {
  hash: Uint8Array
  user_id: string
  old_index: Uint8Array
  old_sealed: Uint8Array
  changed_at: Date
  expires_at: Date
}

/** A sign-in at another provider that belongs to a user. */
type IdentityTable = {
  id: string
  /** A keyed hash of issuer and subject. */
  identity_index: Uint8Array
  user_id: string
  provider: string
  name_sealed: Uint8Array
  created_at: Date
}

type SocialLoginTable = {
  hash: Uint8Array
  purpose: 'login' | 'step-up' | 'link'
  action: string | null
  provider: string
  session_id: string | null
  jkt: string
  origin: string
  project_id: string
  browser: string
  /** Hashes of the challenge that the frame confirms, and of the cookie of the login's window. */
  challenge_hash: Uint8Array | null
  cookie_hash: Uint8Array | null
  confirmed_at: Date | null
  redirected_at: Date | null
  answered_at: Date | null
  outcome: 'done' | 'refused' | 'failed' | null
  /** When the window last ended without a response to this login. That ends nothing. */
  strayed_at: Generated<Date | null>
  /** How often this was reported since without the caller acknowledging it. */
  strays_told: Generated<number>
  identity_index: Uint8Array | null
  name_sealed: Uint8Array | null
  finished_at: Date | null
  created_at: Date
  expires_at: Date
  /** The secret of the request at Farcaster's relay. */
  channel_sealed: Uint8Array | null
}

/**
 * A request and a response between a frame and a window, both sealed by the frame and the window.
 */
type RendezvousTable = {
  hash: Uint8Array
  /** The thumbprint of the frame's device key. */
  jkt: string
  question: string
  answer: string | null
  taken_at: Date | null
  expires_at: Date
}

type BudgetTable = { scope: string; subject: Uint8Array; spent: Date[] }
type ProofTable = { hash: Uint8Array; expires_at: Date }

/**
 * The tables of logins, sessions and email change (0002_auth, 0007_step_ups, 0010_social,
 * 0014_passkeys, 0044_passkey_accounts).
 */
export type AuthTables = {
  users: UserTable
  devices: DeviceTable
  sessions: SessionTable
  step_ups: StepUpTable
  passkeys: PasskeyTable
  passkey_challenges: PasskeyChallengeTable
  session_tokens: SessionTokenTable
  known_devices: KnownDeviceTable
  logins: LoginTable
  codes: CodeTable
  email_changes: EmailChangeTable
  email_undos: EmailUndoTable
  identities: IdentityTable
  social_logins: SocialLoginTable
  rendezvous: RendezvousTable
  budgets: BudgetTable
  proofs: ProofTable
}

/** A login in progress, as stored. */
export type Login = Selectable<LoginTable>

/** A login at another provider in progress, as stored. */
export type SocialLogin = Selectable<SocialLoginTable>
