import type { ProtocolError } from './codes.ts'
import type { PeerMetadata, ProposalNamespaces, SessionNamespaces } from './rpc/shapes.ts'

/**
 * Storage of a client's keys, sessions and pending messages: strings by key, written synchronously.
 */
export type ClientStorage = {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(key: string): void
  keys(): readonly string[]
  /** Reports a change by another tab. */
  subscribe(listener: (key: string) => void): () => void
}

/** Parameters of both roles. `now` returns the time in milliseconds and may be wrong by days. */
export type ClientParameters = {
  /** The relay of pairings made here, for example `wss://relay.example`. */
  relayUrl: string
  projectId?: string
  metadata: PeerMetadata
  storage: ClientStorage
  now?: () => number
  WebSocket?: typeof WebSocket
}

/**
 * State of the connection to a relay. `waiting`: after a failure and before the next attempt.
 * `refused`: the relay refuses this client (close code 3000). The error has the reason, and the
 * client does not try again before `revive`.
 */
export type RelayStatus =
  | { status: 'idle' | 'connecting' | 'connected' }
  | { status: 'waiting' | 'refused'; error: Error }

/** A session that both peers hold. Times are Unix seconds. */
export type WalletConnectSession = {
  topic: string
  pairingTopic: string
  relayUrl: string
  namespaces: SessionNamespaces
  requiredNamespaces: ProposalNamespaces
  self: PeerMetadata
  peer: PeerMetadata
  /** Whether this side is the wallet. */
  isController: boolean
  /** Whether the other side has confirmed the settlement. */
  isAcknowledged: boolean
  expirySeconds: number
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
  disableDeepLink?: boolean | undefined
}

/** The events of both roles. Every tab gets each event once. */
export type SessionEvents = {
  /** A session is settled, possibly after a reload or in another tab. */
  session_connect: { session: WalletConnectSession }
  session_update: { topic: string; namespaces: SessionNamespaces }
  session_extend: { topic: string; expirySeconds: number }
  session_ping: { topic: string }
  /** The other side ended the session. */
  session_delete: { topic: string; reason: ProtocolError }
  session_expire: { topic: string }
  proposal_expire: { id: number }
  pairing_expire: { topic: string }
  /** Status of the relay at `relayUrl`. */
  relay: RelayStatus & { relayUrl: string }
}

export type DappEvents = SessionEvents & {
  session_event: { topic: string; chainId: string; name: string; data: unknown }
  /** The relay has the request, so the wallet can be brought to the front. */
  session_request_sent: { topic: string; id: number; chainId: string; method: string }
}

/** A session proposal to a wallet. */
export type SessionProposal = {
  id: number
  pairingTopic: string
  relayUrl: string
  proposer: PeerMetadata
  requiredNamespaces: ProposalNamespaces
  optionalNamespaces: ProposalNamespaces
  expirySeconds: number
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
}

/** A method call that an app requests from a wallet. */
export type PendingRequest = {
  id: number
  topic: string
  chainId: string
  method: string
  params: unknown
  expirySeconds: number
}

/** The fields of a sign-in (CAIP-122) in their wire form. */
export type AuthPayload = {
  domain: string
  aud: string
  version: string
  nonce: string
  iat: string
  chains: string[]
  type?: string | undefined
  statement?: string | undefined
  exp?: string | undefined
  nbf?: string | undefined
  requestId?: string | undefined
  resources?: string[] | undefined
}

/** A signed CAIP-122 object (CAIP-74). `iss` is a `did:pkh`. */
export type Cacao = {
  h: { t: string }
  p: Omit<AuthPayload, 'chains' | 'type'> & { iss: string }
  s: { t: string; s: string; m?: string | undefined }
}

/**
 * A request to sign the user in and, with the methods of a ReCap, to open a session in the same
 * step.
 */
export type AuthRequest = {
  id: number
  pairingTopic: string
  relayUrl: string
  requester: PeerMetadata
  authPayload: AuthPayload
  expirySeconds: number
}

export type WalletEvents = SessionEvents & {
  session_proposal: { proposal: SessionProposal }
  session_authenticate: { request: AuthRequest }
  session_request: { request: PendingRequest }
  session_request_expire: { id: number; topic: string }
  /** The other side confirmed the settlement. */
  session_acknowledged: { topic: string }
}

/**
 * The functions of both roles. All throw NO_MATCHING_KEY if a topic or id is unknown, and EXPIRED
 * if it has expired.
 */
type Client<Events> = {
  sessions(): readonly WalletConnectSession[]
  /** Resolves when the other side responds. */
  ping(topic: string): Promise<void>
  /**
   * Ends a session and notifies the other side. The session ends here even if the relay cannot be
   * reached.
   */
  disconnect(topic: string, reason?: ProtocolError): Promise<void>
  relayStatus(): RelayStatus
  /**
   * Call this when the page is visible or online again: checks or opens the socket at once and
   * fetches missed messages.
   */
  revive(): void
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  /** Closes sockets and timers; the storage keeps its entries. */
  close(): void
}

/** A new pairing; `uri` is for a QR code or link. */
type Pairing = { uri: string; pairingTopic: string; expiresAtMs: number }

/** The app's side. */
export type Dapp = Client<DappEvents> & {
  /**
   * Proposes a session: `approval` resolves when a wallet has settled it and rejects with
   * SESSION_REJECTED (the wallet's code and message), PROPOSAL_EXPIRED or ABORTED. Resolves when
   * the relay has the proposal.
   */
  connect(parameters: {
    optionalNamespaces: ProposalNamespaces
    sessionProperties?: Record<string, unknown> | undefined
    scopedProperties?: Record<string, unknown> | undefined
    signal?: AbortSignal | undefined
  }): Promise<Pairing & { approval: Promise<WalletConnectSession> }>
  /**
   * Requests a sign-in (one click), with a fallback to `connect` for wallets that do not support
   * it; `cacaos` is then empty. `verify` returns whether the CAIP-10 account's signature of
   * `message` is valid.
   */
  authenticate(parameters: {
    /** `iat` is now unless set. */
    payload: Omit<AuthPayload, 'version' | 'iat' | 'type'> & { iat?: string | undefined }
    methods: readonly string[]
    /** The namespaces that the fallback requests. */
    optionalNamespaces: ProposalNamespaces
    verify: (signed: {
      account: string
      message: string
      signature: string
      type: string
    }) => Promise<boolean>
    signal?: AbortSignal | undefined
  }): Promise<
    Pairing & { answer: Promise<{ cacaos: readonly Cacao[]; session?: WalletConnectSession }> }
  >
  /**
   * Keeps waiting for the sign-ins that the page requested before a reload. A session that a
   * sign-in opens is reported as the event `session_connect`.
   */
  continueSignIns(verify: Parameters<Dapp['authenticate']>[0]['verify']): Promise<void>
  /**
   * Requests a method call from the wallet. Throws the wallet's error as WALLET_ERROR or with our
   * code, and REQUEST_EXPIRED after `expirySeconds` (300 to 604800, else INVALID_PARAMS),
   * METHOD_NOT_APPROVED, CHAIN_NOT_APPROVED.
   */
  request(parameters: {
    topic: string
    chainId: string
    method: string
    params: unknown
    expirySeconds?: number
    signal?: AbortSignal | undefined
  }): Promise<unknown>
  /** Saves properties with a session, such as capabilities that a wallet reported. */
  setSessionProperties(topic: string, properties: Record<string, unknown>): void
}

/** The wallet's side. */
export type Wallet = Client<WalletEvents> & {
  /**
   * Opens a pairing; proposals arrive as events. Throws PAIRING_URI_INVALID, PAIRING_URI_EXPIRED,
   * PAIRING_EXISTS.
   */
  pair(uri: string): Promise<void>
  proposals(): readonly SessionProposal[]
  authRequests(): readonly AuthRequest[]
  requests(): readonly PendingRequest[]
  /** Settles a session; resolves when the relay has the settlement. */
  approve(
    id: number,
    parameters: {
      namespaces: SessionNamespaces
      sessionProperties?: Record<string, unknown> | undefined
      scopedProperties?: Record<string, unknown> | undefined
      disableDeepLink?: boolean | undefined
    },
  ): Promise<WalletConnectSession>
  reject(id: number, reason?: ProtocolError): Promise<void>
  /**
   * The message that the user signs for one account (CAIP-10) of an auth request. Its ReCap
   * contains only what is approved.
   */
  formatAuthMessage(
    id: number,
    parameters: { account: string; chains: readonly string[]; methods: readonly string[] },
  ): { message: string; payload: Cacao['p'] }
  approveAuthenticate(
    id: number,
    cacaos: readonly Cacao[],
  ): Promise<WalletConnectSession | undefined>
  rejectAuthenticate(id: number, reason?: ProtocolError): Promise<void>
  respond(
    topic: string,
    id: number,
    answer: { result: unknown } | { error: { code: number; message: string; data?: unknown } },
  ): Promise<void>
  update(topic: string, namespaces: SessionNamespaces): Promise<void>
  /** Extends a session to seven days from now. */
  extend(topic: string): Promise<void>
  emit(topic: string, event: { chainId: string; name: string; data: unknown }): Promise<void>
}

export type CreateDapp = (parameters: ClientParameters) => Promise<Dapp>
export type CreateWallet = (
  parameters: ClientParameters & {
    /**
     * Whether to connect to the relay in a pairing URI. Without this function, only `relayUrl` is
     * used.
     */
    allowRelay?: (relayUrl: string) => boolean
  },
) => Promise<Wallet>
