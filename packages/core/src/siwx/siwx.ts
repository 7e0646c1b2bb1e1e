import type { Dapp } from '@latchkey/walletconnect'
import type { ChainId, Namespace } from '@latchkey/wire'
import type { SiwxMessage } from '@latchkey/wire/siwx'

/** A sign-in: what the message says, its text and signature, and what the server gave for it. */
export type SiwxSession = {
  data: SiwxMessage
  message: string
  signature: string
  /** Of the default implementation: what the app's own backend asks our server with. */
  token?: string
  /**
   * The same where the session is in a cookie: what changes are sent with (header `x-csrf-token`).
   */
  csrfToken?: string
  /** When it ends by itself, where that is known (ISO 8601). */
  expiresAt?: string
}

/** Where sign-ins are kept and verified. Every function may throw; the reason is shown. */
export type Siwx = {
  /**
   * What the account is to sign. A `toString` of its own says how the text reads; otherwise it is
   * the one of CAIP-122.
   */
  createMessage(input: {
    accountAddress: string
    chainId: ChainId
  }): Promise<SiwxMessage & { toString?(): string }>
  /** Verifies a new sign-in and keeps it. */
  addSession(session: SiwxSession): Promise<void>
  /**
   * The sign-ins of an account on a network, or anywhere in its namespace if one counts for all of
   * them.
   */
  getSessions(chainId: ChainId, accountAddress: string): Promise<readonly SiwxSession[]>
  /** Would replace all sign-ins. It is not called: sessions are added and revoked one by one. */
  setSessions?(sessions: readonly SiwxSession[]): Promise<void>
  revokeSession(chainId: ChainId, accountAddress: string): Promise<void>
}

/** What of it is asked here. */
export type UsedSiwx = Omit<Siwx, 'setSessions'> & {
  /**
   * Repeats the sign-outs of which the server has not heard. Where there is this, a sign-in that
   * was revoked has ended here in any case.
   */
  finishSignOut?(): Promise<void>
  /** Whether a sign-in leaves those of other accounts and networks as they are. */
  readonly keepsMany?: boolean
}

/**
 * Signing in with a wallet (CAIP-122). Without functions of the app's own, the server of `apiUrl`
 * keeps the sign-ins.
 */
export type SiwxConfig = {
  /** Whether an account that does not sign in is disconnected; true unless set. */
  required?: boolean
  /**
   * Whether one sign-in counts for all networks of a namespace (unless set), or for one network.
   */
  per?: 'namespace' | 'network'
  /** Whether disconnecting also signs out; true unless set. */
  signOutOnDisconnect?: boolean
  /** One line that the message says; for the default implementation. */
  statement?: string
  /**
   * Of the default implementation: whether this browser keeps a token (unless set), or a cookie
   * that no script reads. That is for pages on the site of the server, and holds one sign-in: each
   * replaces the one before.
   */
  keep?: 'token' | 'cookie'
  /**
   * Whether wallets that can are asked to connect and to sign in with one approval. Unless set,
   * only without functions of the app's own: `createMessage` is asked before the account is known,
   * with an empty address.
   */
  oneClick?: boolean
  /** Whose accounts sign in; all unless set. */
  namespaces?: readonly Namespace[]
} & (Siwx | { [Name in keyof Siwx]?: never })

/** What `wc_sessionAuthenticate` asks for. */
export type SessionPayload = Parameters<Dapp['authenticate']>[0]['payload']

/**
 * Signing in with the approval that connects: `wc_sessionAuthenticate`, or the `signIn` of Solana's
 * wallets.
 */
export type OneClick = {
  /**
   * What a wallet is asked to sign with a session; undefined if it has to be asked after
   * connecting.
   */
  prepareSession(): Promise<SessionPayload | undefined>
  /** The same for one network. The message has no account yet. */
  prepareMessage(chainId: ChainId): Promise<SiwxMessage | undefined>
  /**
   * Keeps a sign-in. False if its signature is not valid: then nobody connects. True also if nobody
   * could say so: then the account is connected as by any wallet, has not signed in, and is asked
   * again.
   */
  verify(signed: { message: string; signature: string }): Promise<boolean>
  /** Takes back the sign-in of a CAIP-10 account. */
  revoke(account: string): Promise<void>
}
