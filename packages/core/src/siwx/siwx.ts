import type { Dapp } from '@latchkey/walletconnect'
import type { ChainId, Namespace } from '@latchkey/wire'
import type { SiwxMessage } from '@latchkey/wire/siwx'

/** A sign-in: the fields of the message, its text and signature, and the server's token. */
export type SiwxSession = {
  data: SiwxMessage
  message: string
  signature: string
  /**
   * For the default implementation: the token with which the app's own backend queries our server.
   */
  token?: string
  /** For a session in a cookie: the token to send with changes (header `x-csrf-token`). */
  csrfToken?: string
  /** When the session expires, if known (ISO 8601). */
  expiresAt?: string
}

/** The storage and verification of sign-ins. Every function may throw; the reason is shown. */
export type Siwx = {
  /**
   * The message for the account to sign. A custom `toString` formats it; the default format is
   * CAIP-122.
   */
  createMessage(input: {
    accountAddress: string
    chainId: ChainId
  }): Promise<SiwxMessage & { toString?(): string }>
  /** Verifies a new sign-in and saves it. */
  addSession(session: SiwxSession): Promise<void>
  /**
   * The sign-ins of an account on a network, or anywhere in its namespace if a sign-in counts for
   * all of its networks.
   */
  getSessions(chainId: ChainId, accountAddress: string): Promise<readonly SiwxSession[]>
  /** Would replace all sign-ins. Never called: sessions are added and revoked individually. */
  setSessions?(sessions: readonly SiwxSession[]): Promise<void>
  revokeSession(chainId: ChainId, accountAddress: string): Promise<void>
}

/** The part of the interface that is used here. */
export type UsedSiwx = Omit<Siwx, 'setSessions'> & {
  /**
   * Repeats the sign-outs that did not reach the server. If this is present, a revoked sign-in has
   * ended here in any case.
   */
  finishSignOut?(): Promise<void>
  /** Whether a sign-in leaves the sign-ins of other accounts and networks as they are. */
  readonly keepsMany?: boolean
}

/** Signing in with a wallet (CAIP-122). By default, the server of `apiUrl` keeps the sign-ins. */
export type SiwxConfig = {
  /** Whether an account that does not sign in is disconnected; true by default. */
  required?: boolean
  /**
   * Whether a sign-in counts for all networks of a namespace (the default) or for a single network.
   */
  per?: 'namespace' | 'network'
  /** Whether disconnecting also signs out; true by default. */
  signOutOnDisconnect?: boolean
  /** A line in the message; for the default implementation. */
  statement?: string
  /**
   * For the default implementation: whether this browser keeps a token (the default), or a cookie
   * that no script can read. A cookie only works for pages on the site of the server, and holds a
   * single sign-in: each replaces the previous sign-in.
   */
  keep?: 'token' | 'cookie'
  /**
   * Whether to connect and sign in with a single approval, for wallets that support it. By default
   * only if the app has no functions for this, because `createMessage` is called before the account
   * is known, with an empty address.
   */
  oneClick?: boolean
  /** The namespaces whose accounts sign in; all by default. */
  namespaces?: readonly Namespace[]
} & (Siwx | { [Name in keyof Siwx]?: never })

/** The payload of `wc_sessionAuthenticate`. */
export type SessionPayload = Parameters<Dapp['authenticate']>[0]['payload']

/**
 * Signing in with the approval that connects: `wc_sessionAuthenticate`, or the `signIn` of Solana's
 * wallets.
 */
export type OneClick = {
  /**
   * The payload that a wallet signs with a session; undefined if the sign-in has to follow after
   * connecting.
   */
  prepareSession(): Promise<SessionPayload | undefined>
  /** The message for a connection to a single network. It contains no account yet. */
  prepareMessage(chainId: ChainId): Promise<SiwxMessage | undefined>
  /**
   * Saves a sign-in. False if its signature is not valid: then the wallet does not connect. True
   * also if the signature could not be verified: then the account is connected without a sign-in,
   * and is prompted again.
   */
  verify(signed: { message: string; signature: string }): Promise<boolean>
  /** Revokes the sign-in of a CAIP-10 account. */
  revoke(account: string): Promise<void>
}
