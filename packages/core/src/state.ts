import {
  type AlertCode,
  type CaipAddress,
  type ChainId,
  type DirectoryWallet,
  type FrameView,
  type LatchkeyError,
  type Namespace,
  namespaces,
} from '@latchkey/wire'
import type { AccountTab, BuyDraft, SendDraft, SwapDraft, View } from './modal/views.ts'
import type { Network } from './networks.ts'
import type { SiwxSession } from './siwx/siwx.ts'

/** `smartAccount` and `eoa` on EVM, `payment` on Bitcoin, `eoa` elsewhere. */
export type AccountType = 'eoa' | 'smartAccount' | 'payment'

export type Account = {
  namespace: Namespace
  address: string
  type: AccountType
  /** The use of this address in a wallet with several addresses, if it is not payments. */
  label?: 'ordinals'
  /** Whether a smart account is deployed, by network, as far as its wallet has reported it. */
  deployed?: Readonly<Partial<Record<ChainId, boolean>>>
  /**
   * The key's derivation path on a device that derives many keys (BIP-32), for example
   * `44'/60'/0'/0/0`.
   */
  path?: string
}

/** The accounts of a wallet that has an account for every number; read individually. */
export type AccountChoice = {
  /** The derivation schemes of different programs; proper names. */
  readonly groups: readonly string[]
  /** Reads an account. Throws the wallet's error. */
  read(parameters: { group: string; index: number }): Promise<Account>
  /** Connects the chosen account. */
  choose(account: Account): void
}

/**
 * A connection that has accounts; `reconnecting` shows the saved accounts while the wallet
 * reconnects silently.
 */
export type Connected = {
  status: 'connected' | 'reconnecting'
  connectorId: string
  accounts: readonly [Account, ...Account[]]
  account: Account
  chainId: ChainId
  /** `${chainId}:${address}`, CAIP-10. */
  caipAddress: CaipAddress
  /** The wallet behind a connector for many wallets, in its own description. */
  wallet?: PeerWallet
  /**
   * True if the wallet's server could not be reached. `status` stays `reconnecting` while the app
   * retries.
   */
  isUnreached?: true
}

/**
 * `name` is clean text; `iconUrl` an https image; `walletId` and `imageId` are ids in the
 * directory.
 */
export type PeerWallet = { name: string; iconUrl?: string; walletId?: string; imageId?: string }

/** A namespace's connection: `status` decides which fields exist. */
export type Connection =
  | { status: 'disconnected' }
  | {
      status: 'connecting'
      connectorId: string
      /** The directory wallet that the user chose. */
      walletId?: string
      /** Pairing URI for a QR code or link; it is replaced before it expires. */
      uri?: string
      /** When another pairing takes its place on the screen. */
      renewAtMs?: number
      /** Until when the wallet may answer. */
      expiresAtMs?: number
      /** Why the relay cannot be reached; absent while it can. */
      error?: LatchkeyError
      /** The wallet has several accounts, and waits until the user chooses. */
      choice?: AccountChoice
    }
  | Connected

/**
 * Properties that follow from how a connector reaches wallets. A wallet of this browser has no
 * traits.
 */
export type ConnectorTraits = {
  /**
   * It pairs with wallets anywhere by a code or link, so it is not shown among the wallets to
   * choose from.
   */
  pairs?: boolean
  /**
   * An approval may arrive after the page has stopped waiting, also in a later visit. Its session
   * stays with the wallet.
   */
  approvesLate?: boolean
  /**
   * It reconnects silently only if a connection is saved, because it would have to be loaded to
   * find that out.
   */
  reconnectsSavedOnly?: boolean
  /** Users log in to it: it has a user, and it is not listed as a recently used wallet. */
  hasLogin?: boolean
  /** The app provides it: it was not found in this browser. */
  isExternal?: boolean
  /** It connects without a click, because the page was opened inside its wallet. */
  connectsAlone?: boolean
  /** Its owners confirm a request together, which may take a long time. */
  collectsConfirmations?: boolean
  /** It is a device connected to this computer. The user unlocks it and confirms on it. */
  isDevice?: boolean
  /** It opens a window for its requests. */
  opensWindow?: boolean
  /** The feature that it needs and this browser lacks. */
  lacks?: 'webHid'
  /** It is listed only while no other wallet has been found in this browser. */
  isFallback?: boolean
}

/** A wallet that can be connected now, for views: plain data, no provider. */
export type ConnectorInfo = {
  id: string
  /** For an app's pictures and statistics; the product's own behavior follows from `traits`. */
  kind: 'injected' | 'announced' | 'walletConnect' | 'embedded' | 'external'
  name: string
  /**
   * `data:image/…` from the wallet itself, or a directory image's URL; if absent, a generated mark
   * is shown.
   */
  iconUrl?: string
  /** Id of the wallet's picture in the directory, if known. */
  imageId?: string
  /** Reverse domain name of the wallet (EIP-6963). */
  rdns?: string
  /** The wallet's id in the directory, if known. */
  walletId?: string
  namespaces: readonly [Namespace, ...Namespace[]]
  traits?: ConnectorTraits
}

export type ToastVariant = 'loading' | 'success' | 'error' | 'svg'
export type Toast = {
  id: number
  message: string
  /** The error that the toast reports, so that a page can write it in its own language. */
  error?: LatchkeyError
  variant: ToastVariant
  autoClose: boolean
}

/** A message for the app's developer or operator; each is shown once. */
export type Alert = {
  code: string
  shortMessage: string
  longMessage: string
  /** The error that the alert reports, so that a page can write it in its own language. */
  error: LatchkeyError<AlertCode>
}

export type ThemeMode = 'dark' | 'light' | 'system'
export type Theme = { mode: ThemeMode; variables: Readonly<Record<`--lk-${string}`, string>> }

export type ModalState = {
  open: boolean
  /** The stack of views; the last view is shown. Never empty while open. */
  history: readonly View[]
  /** Direction of the latest change, for the slide. */
  direction: 'forward' | 'back'
  /** Counts refused closes; a view shakes when it changes. */
  shakes: number
}

/**
 * The recently used wallets, newest first, at most two. `id` is the connector's. Several wallets
 * may share the id of WalletConnect and differ by `walletId`, their id in the directory.
 */
export type RecentWallet = {
  id: string
  name: string
  iconUrl?: string
  rdns?: string
  walletId?: string
}

/** A receiver that the user has given a name. */
export type Contact = {
  namespace: Namespace
  /** Clean text of 1 to 60 characters; no two contacts of a namespace share it. */
  name: string
  /** With its checksum; no two contacts share it. */
  address: string
}

/** The user who is logged in by email or a social provider. */
export type User = {
  email?: string
  /** The user's name at the provider. */
  username?: string
  /**
   * The provider at which the user has logged in, for example `google`; absent if unknown to this
   * page.
   */
  socialProvider?: string
  /**
   * False while the embedded wallet has no way of recovery: it is lost with this device. Only pages
   * of the wallet's operator get an address before that.
   */
  isRecoverable?: boolean
}

/** A pending email login or change of the email address. */
export type Login = {
  email: string
  /** Two digits to compare with the page of the link in the email. */
  matchCode?: string
  /** When the next email may be requested. */
  resendAtMs: number
}

/** The view of the secure frame that is shown above the modal; `height` in CSS px. */
export type FrameShown = { view: FrameView; title: string; height: number }

/** An account's identity: a name that resolves back to it, and a picture from our server. */
export type Profile = { name?: string; imageUrl?: string }

/** Wallets of the directory. `count` counts all that match, not only these. */
export type WalletList = { count: number; wallets: readonly DirectoryWallet[] }

/**
 * The recommended wallets of the directory, with the number of all its wallets. Until the server
 * has responded, `list` is the list that was shown before, also by the last visit.
 */
type Recommended =
  | { status: 'asking' | 'failed'; list: WalletList | undefined }
  | { status: 'answered'; list: WalletList; atMs: number }

export type State = {
  /** The connection in use of each namespace. */
  connections: Readonly<Record<Namespace, Connection>>
  /**
   * The other connected wallets, the latest used first. A wallet has at most one connection in a
   * namespace.
   */
  furtherConnections: readonly Connected[]
  connectors: readonly ConnectorInfo[]
  /** The networks of the app, in order. */
  networks: readonly [Network, ...Network[]]
  /**
   * The selected network: the connected wallet's if a wallet is connected, otherwise the user's
   * last choice, otherwise the first.
   */
  activeChainId: ChainId
  /** Set when the wallet is on a chain that is not in `networks`. */
  unsupportedChainId: ChainId | undefined
  modal: ModalState
  toast: Toast | undefined
  alert: Alert | undefined
  theme: Theme
  recentWallets: readonly RecentWallet[]
  /** The contacts of this browser, by name. */
  contacts: readonly Contact[]
  /** Absent until the first request to the server. */
  recommended?: Recommended
  /** Native balances from the last read, in the smallest unit, by CAIP-10 address. */
  nativeBalances: Readonly<Record<string, bigint>>
  /**
   * When the server last failed to list an account's tokens, in ms, by CAIP-10 address; removed
   * once it succeeds.
   */
  balancesFailedAtMs: Readonly<Record<string, number>>
  /** The tab of the account that was opened last. */
  accountTab: AccountTab
  /** Identities of accounts, by CAIP-10 address. */
  profiles: Readonly<Record<string, Profile>>
  sendDraft: SendDraft
  /** The form of a purchase, once the user has typed or chosen something. */
  buyDraft?: BuyDraft
  swapDraft: SwapDraft
  /** The known sign-ins, by `getSessionKey`: null if not signed in. */
  sessions: Readonly<Record<string, SiwxSession | null>>
  user: User | undefined
  login: Login | undefined
  /** The window of the pending social login has closed without a response. */
  isSocialAstray?: boolean
  /** Set once the secure frame has an element in the page. */
  frame: { frameView: FrameShown | undefined } | undefined
}

/** The send form at the start and after each transfer. */
export const emptySendDraft: SendDraft = { amount: '', receiverAddress: '' }

/** The initial swap form. The default slippage is 1 % (specification §9). */
const emptySwapDraft: SwapDraft = { amount: '', slippage: 1 }

/** Forms that are reset when the account or network that they were filled in for changes. */
export const emptyDrafts = { sendDraft: emptySendDraft, swapDraft: emptySwapDraft }

/** The same value for every namespace. */
export const perNamespace = <Value>(value: Value): Record<Namespace, Value> =>
  Object.fromEntries(namespaces.map((namespace) => [namespace, value])) as Record<Namespace, Value>

/** The connections of an app without an account. */
export const disconnectedState: State['connections'] = perNamespace({ status: 'disconnected' })

/** The initial state; a server renders it and a browser hydrates from it. */
export function initialState(parameters: {
  networks: readonly [Network, ...Network[]]
  activeChainId: ChainId
  theme: Theme
}): State {
  return {
    connections: disconnectedState,
    furtherConnections: [],
    connectors: [],
    unsupportedChainId: undefined,
    modal: { open: false, history: [], direction: 'forward', shakes: 0 },
    toast: undefined,
    alert: undefined,
    recentWallets: [],
    contacts: [],
    nativeBalances: {},
    profiles: {},
    balancesFailedAtMs: {},
    accountTab: 'tokens',
    ...emptyDrafts,
    sessions: {},
    user: undefined,
    login: undefined,
    frame: undefined,
    ...parameters,
  }
}

/** Whether a connection has accounts. */
export const isConnected = (connection: Connection): connection is Connected =>
  connection.status === 'connected' || connection.status === 'reconnecting'

/** All connections, those in use first. */
export const listConnections = ({
  connections,
  furtherConnections,
}: Pick<State, 'connections' | 'furtherConnections'>): Connected[] => [
  ...Object.values(connections).filter(isConnected),
  ...furtherConnections,
]

/** The network that is selected now. */
export const activeNetwork = (state: State): Network =>
  state.networks.find(({ caipNetworkId }) => caipNetworkId === state.activeChainId) ??
  state.networks[0]

/** The connection of the selected network's namespace. */
export const activeConnection = (state: State): Connection =>
  state.connections[activeNetwork(state).chainNamespace]
