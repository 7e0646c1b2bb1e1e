import type { Dapp, WalletConnectSession } from '@latchkey/walletconnect'
import { type ChainId, type LatchkeyError, type Namespace, namespaces } from '@latchkey/wire'
import type { Environment, Metadata } from '../../../app.ts'
import type { Request } from '../../../namespaces/request.ts'
import { walletConnectMetadata } from '../../../namespaces/walletConnectMetadata.ts'
import type { OneClick } from '../../../siwx/siwx.ts'
import type { ConnectorInfo, PeerWallet } from '../../../state.ts'
import type { Storage } from '../../../storage.ts'
import type { ConnectorEvent, ConnectResult } from '../connector.ts'
import { type AddressWriters, toConnectResult } from './session/sessionAccounts.ts'
import type { SessionStore, StoredPairing } from './session/sessionStore.ts'

/** The parameters of the connector. */
export type WalletConnectParameters = {
  info: ConnectorInfo
  relayUrl: string
  projectId: string
  metadata: Metadata
  /** The URL of the server's bundler with this name. */
  bundlerUrl: (chainId: ChainId, bundler: string) => string
  /** The networks of the app, in order. */
  networks: () => readonly {
    caipNetworkId: ChainId
    chainNamespace: ConnectorInfo['namespaces'][0]
  }[]
  /** Signing in together with connecting, if the app supports it. */
  oneClick: () => Promise<OneClick | undefined>
  storage: Storage
  /** The prefix of the client's own entries. */
  storageKey: string
  environment: Environment
  /** The public node of a network; throws NO_RPC_URL. */
  node: (chainId: ChainId) => Promise<Request>
  /** Aborted when the app ends. */
  signal: AbortSignal
}

/** A pairing that this page created; `abort` withdraws it. */
export type OpenPairing = StoredPairing & { abort: () => void }

/**
 * The attempts that wait for an approval, each with the topics of the pairings that it has shown.
 */
type PendingAttempt = {
  resolve: (session: WalletConnectSession) => void
  reject: (error: LatchkeyError) => void
  shownTopics: ReadonlySet<string>
}

/** The connector, once a user chooses it. */
export type WalletConnectContext = {
  readonly parameters: WalletConnectParameters
  readonly dapp: Dapp
  readonly sessionStore: SessionStore
  readonly listeners: Set<(event: ConnectorEvent) => void>
  /** The pairings of this page that a wallet can still answer, newest last. */
  pairings: OpenPairing[]
  /** A pairing that is being sent to the relay. */
  pendingPairing: Promise<OpenPairing> | undefined
  readonly waiting: Set<PendingAttempt>
  /**
   * Functions that format addresses for the state; undefined until {@link loadAddressWriters} has
   * loaded them.
   */
  addressWriters: AddressWriters | undefined
}

export const emit = (context: WalletConnectContext, event: ConnectorEvent): void => {
  for (const listener of context.listeners) listener(event)
}

/** The session in use; undefined if there is no session, or it has ended. */
export function currentSession(context: WalletConnectContext): WalletConnectSession | undefined {
  const topic = context.sessionStore.session()?.topic
  return context.dapp.sessions().find((session) => session.topic === topic)
}

/** Loads the address formatters: showing a pairing does not need them. */
export async function loadAddressWriters(context: WalletConnectContext): Promise<void> {
  if (context.addressWriters) return
  const load = async (namespace: Namespace) => {
    // If the code does not load, addresses keep the wallet's format.
    const write = await walletConnectMetadata[namespace]
      .loadAddressWriter?.()
      .catch(() => undefined)
    return [namespace, write] as const
  }
  context.addressWriters = Object.fromEntries(await Promise.all(namespaces.map(load)))
}

/** The result of the session in use, as connections. */
export function currentResult(context: WalletConnectContext): ConnectResult | undefined {
  const session = currentSession(context)
  const stored = context.sessionStore.session()
  if (!session || !stored) return undefined
  const result = toConnectResult({
    session: session.namespaces,
    choices: stored,
    preferred: preferredChains(context),
    writers: context.addressWriters,
  })
  return result && withWallet(result, stored.wallet)
}

/** The network selected last, then the app's in order. */
function preferredChains({ parameters }: WalletConnectContext): ChainId[] {
  const last = parameters.storage.get('activeChainId')
  const configured = parameters.networks().map(({ caipNetworkId }) => caipNetworkId)
  return [...configured.filter((id) => id === last), ...configured]
}

const withWallet = (result: ConnectResult, wallet: PeerWallet): ConnectResult => ({
  ...result,
  wallet,
  ...(result.others && { others: result.others.map((other) => withWallet(other, wallet)) }),
})
