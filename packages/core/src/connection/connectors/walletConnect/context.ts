import type { Dapp, Session } from '@latchkey/walletconnect'
import type { ChainId, LatchkeyError } from '@latchkey/wire'
import type { Environment, Metadata } from '../../../createApp.ts'
import type { Request } from '../../../namespaces/namespace.ts'
import type { ConnectorInfo, PeerWallet } from '../../../state.ts'
import type { Storage } from '../../../storage.ts'
import type { ConnectorEvent, ConnectResult } from '../connector.ts'
import { resultOf } from './sessionAccounts.ts'
import type { KeptOffer, Memory } from './sessionStore.ts'

/** What the connector is made of. */
export type WalletConnectParameters = {
  info: ConnectorInfo
  relayUrl: string
  projectId: string
  metadata: Metadata
  /** Where the server runs a bundler of this name. */
  bundlerUrl: (chainId: ChainId, bundler: string) => string
  /** The networks that the app asks for now, in order. */
  networks: () => readonly {
    caipNetworkId: ChainId
    chainNamespace: ConnectorInfo['namespaces'][0]
  }[]
  storage: Storage
  environment: Environment
  /** The public node of a network; throws NO_RPC_URL. */
  node: (chainId: ChainId) => Promise<Request>
  /** Aborted when the app ends. */
  signal: AbortSignal
}

/** A pairing that this page offers; `abort` withdraws it. */
export type Offer = KeptOffer & { abort: () => void }

/** Who waits for an approval; `shown` are the pairings that this attempt has shown. */
type Waiting = {
  resolve: (session: Session) => void
  reject: (error: LatchkeyError) => void
  shown: ReadonlySet<string>
}

/** The connector once a visitor takes this way. */
export type Live = {
  readonly parameters: WalletConnectParameters
  readonly dapp: Dapp
  readonly memory: Memory
  readonly listeners: Set<(event: ConnectorEvent) => void>
  /** Offers of this page that may still be answered, the newest last. */
  offers: Offer[]
  /** An offer that is on its way to the relay. */
  making: Promise<Offer> | undefined
  readonly waiting: Set<Waiting>
}

export const tell = (live: Live, event: ConnectorEvent): void => {
  for (const listener of live.listeners) listener(event)
}

/** The session in use; undefined when there is none or it is over. */
export function currentSession(live: Live): Session | undefined {
  const topic = live.memory.session()?.topic
  return live.dapp.sessions().find((session) => session.topic === topic)
}

/** What the session in use allows, as connections. */
export function currentResult(live: Live): ConnectResult | undefined {
  const session = currentSession(live)
  const kept = live.memory.session()
  if (!session || !kept) return undefined
  const result = resultOf({
    session: session.namespaces,
    choices: kept,
    preferred: preferredChains(live),
  })
  return result && named(result, kept.wallet)
}

/** The network selected last, then the app's in order (spec §5). */
function preferredChains({ parameters }: Live): ChainId[] {
  const last = parameters.storage.get('activeChainId')
  const configured = parameters.networks().map(({ caipNetworkId }) => caipNetworkId)
  return [...configured.filter((id) => id === last), ...configured]
}

const named = (result: ConnectResult, wallet: PeerWallet): ConnectResult => ({
  ...result,
  wallet,
  ...(result.others && { others: result.others.map((other) => named(other, wallet)) }),
})
