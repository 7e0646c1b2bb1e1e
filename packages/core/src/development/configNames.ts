import type { SocialProvider } from '@latchkey/wire'
import type {
  Config,
  ConnectMethod,
  ConnectorType,
  Features,
  LoginOptions,
  Metadata,
  ModalOptions,
  RelayOptions,
  WalletFeature,
  WalletOptions,
} from '../app.ts'
import type { Siwx, SiwxConfig } from '../siwx/siwx.ts'
import type { ThemeMode } from '../state.ts'

const namesOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[]

export const configOptions = namesOf<keyof Config>({
  projectId: true,
  apiUrl: true,
  networks: true,
  defaultNetwork: true,
  frameUrl: true,
  rpcUrls: true,
  metadata: true,
  wallets: true,
  login: true,
  modal: true,
  features: true,
  signIn: true,
  analytics: true,
  storageKey: true,
  ssr: true,
  initialState: true,
  debug: true,
})

export const walletOptions = namesOf<keyof WalletOptions>({
  enabled: true,
  featuredIds: true,
  includedIds: true,
  excludedIds: true,
  custom: true,
  connectors: true,
  order: true,
  all: true,
  collapsed: true,
  guide: true,
  injected: true,
  eip6963: true,
  walletStandard: true,
  walletConnect: true,
  reconnect: true,
})

export const loginOptions = namesOf<keyof LoginOptions>({
  email: true,
  socials: true,
  passkeyAccounts: true,
  showWallets: true,
  otpSurface: true,
  logMessages: true,
})

export const modalOptions = namesOf<keyof ModalOptions>({
  themeMode: true,
  themeVariables: true,
  connectOrder: true,
  actionOrder: true,
  networkSwitch: true,
  allowUnsupportedChain: true,
  termsUrl: true,
  privacyUrl: true,
  legalCheckbox: true,
})

export const signInOptions = namesOf<keyof SiwxConfig | keyof Siwx | 'siwe'>({
  required: true,
  per: true,
  signOutOnDisconnect: true,
  statement: true,
  keep: true,
  oneClick: true,
  namespaces: true,
  siwe: true,
  createMessage: true,
  addSession: true,
  getSessions: true,
  setSessions: true,
  revokeSession: true,
})

export const featureOptions = namesOf<keyof Features>({
  send: true,
  receive: true,
  onramp: true,
  swaps: true,
  history: true,
  smartSessions: true,
})

export const metadataOptions = namesOf<keyof Metadata>({
  name: true,
  description: true,
  url: true,
  icons: true,
})

export const relayOptions = namesOf<keyof RelayOptions>({
  relayUrl: true,
  projectId: true,
})

/** The values of `modal.themeMode`. */
export const themeModes = namesOf<ThemeMode>({ dark: true, light: true, system: true })

/** The values of `login.otpSurface`. */
export const otpSurfaces = namesOf<NonNullable<LoginOptions['otpSurface']>>({
  frame: true,
  host: true,
})

/** The providers of `login.socials`. */
export const socialNames = namesOf<SocialProvider>({
  google: true,
  x: true,
  discord: true,
  farcaster: true,
  github: true,
  apple: true,
  facebook: true,
})

/** The values of `modal.connectOrder`. */
export const connectMethods = namesOf<ConnectMethod>({ email: true, social: true, wallet: true })

/** The values of `wallets.order`. */
export const connectorTypes = namesOf<ConnectorType>({
  walletConnect: true,
  recent: true,
  injected: true,
  featured: true,
  custom: true,
  external: true,
  recommended: true,
})

/** The values of `modal.actionOrder`. */
export const walletFeatures = namesOf<WalletFeature>({
  onramp: true,
  receive: true,
  send: true,
  swaps: true,
})

/** The custom properties of `theme.css` that an app may set. */
export const themeVariables: readonly string[] = [
  '--lk-accent',
  '--lk-accent-text',
  '--lk-accent-ink',
  '--lk-surface',
  '--lk-surface-2',
  '--lk-surface-3',
  '--lk-text',
  '--lk-text-2',
  '--lk-line',
  '--lk-danger',
  '--lk-success',
  '--lk-overlay',
  '--lk-shadow',
  '--lk-radius',
  '--lk-font',
  '--lk-z-index',
]
