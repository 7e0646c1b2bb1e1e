import type { ClientStorage, ProposalNamespaces, SessionNamespaces } from '@latchkey/walletconnect'
import type { account } from './eip155.ts'

/** Events, with the same names for each implementation. */
export type PartyEvents = {
  session_proposal: { id: number; proposer: string; asked: ProposalNamespaces }
  session_authenticate: { id: number; requester: string; nonce: string }
  session_request: { id: number; topic: string; chainId: string; method: string; params: unknown }
  /** The relay has it. */
  session_request_sent: { topic: string }
  session_event: { topic: string; chainId: string; name: string; data: unknown }
  session_update: { topic: string; namespaces: SessionNamespaces }
  session_extend: { topic: string }
  session_ping: { topic: string }
  session_delete: { topic: string }
  proposal_expire: { id: number }
}

/** The namespaces that a dapp proposes and a wallet grants. */
export type Proposed = Record<string, { chains: string[]; methods: string[]; events: string[] }>
export type Granted = Record<string, Proposed[string] & { accounts: string[] }>

/** A session from one side's view. */
export type HeldSession = {
  topic: string
  namespaces: SessionNamespaces
  peer: string
  expirySeconds: number
}

/** Functions of both sides of a session. */
export type Party = {
  /**
   * Names of all events it received, in order, except `session_authenticate`, because a wallet must
   * not listen to it without handling it.
   */
  heard: readonly string[]
  on<Name extends keyof PartyEvents>(name: Name, listener: (heard: PartyEvents[Name]) => void): void
  next<Name extends keyof PartyEvents>(name: Name): Promise<PartyEvents[Name]>
  sessions(): readonly HeldSession[]
  ping(topic: string): Promise<void>
  disconnect(topic: string): Promise<void>
  close(): Promise<void>
}

export type DappParty = Party & {
  /** Proposes the local EVM chains unless other namespaces are given. */
  connect(optional?: Proposed): Promise<{ uri: string; approval: Promise<HeldSession> }>
  authenticate(parameters: { nonce: string; methods: readonly string[] }): Promise<{
    uri: string
    answer: Promise<{ signers: readonly string[]; session?: HeldSession }>
  }>
  /**
   * The error of a wallet's rejection in a rejected promise, and in a rejected promise of
   * `authenticate`.
   */
  refusal(code: number, message: string): object
  authRefusal(code: number, message: string): unknown
  /** On the first local EVM chain unless another is given. */
  request(topic: string, method: string, params: unknown, chainId?: string): Promise<unknown>
}

export type WalletParty = Party & {
  pair(uri: string): Promise<void>
  /** Grants the first local EVM chain unless other namespaces are given. */
  approve(id: number, granted?: Granted): Promise<HeldSession>
  reject(id: number): Promise<void>
  /** Signs an auth request in, in the name of `account`, which should be `signer`. */
  approveAuth(id: number, signer?: typeof account): Promise<void>
  rejectAuth(id: number): Promise<void>
  respond(topic: string, id: number, answer: RpcResponse): Promise<void>
  update(topic: string, namespaces: SessionNamespaces): Promise<void>
  extend(topic: string): Promise<void>
  emit(topic: string, name: string, data: unknown): Promise<void>
}

export type RpcResponse = { result: unknown } | { error: { code: number; message: string } }

/** How a party is started. */
export type Start = {
  relayUrl: string
  name: string
  /** Only our implementation accepts a clock and a previous storage. */
  now?: () => number
  storage?: ClientStorage
}

/** Metadata of a party. */
export const metadataOf = (name: string) => ({
  name,
  description: '',
  url: `https://${name}.example`,
  icons: [] as string[],
})

/** Names of events that a party may always listen to. */
export const spokenNames = (words: Record<keyof PartyEvents, unknown>) =>
  (Object.keys(words) as (keyof PartyEvents)[]).filter((name) => name !== 'session_authenticate')
