import type { SocialProvider } from '@latchkey/wire'
import type {
  Config,
  ConnectMethod,
  ConnectorType,
  Features,
  Metadata,
  WalletFeature,
} from '../app.ts'
import type { ThemeMode } from '../state.ts'

const namesOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[]

/** The options of a config. */
export const configOptions = namesOf<keyof Config>({
  projectId: true,
  apiUrl: true,
  networks: true,
  frameUrl: true,
  otpSurface: true,
  connectMethodsOrder: true,
  connectorTypeOrder: true,
  walletFeaturesOrder: true,
  defaultNetwork: true,
  storageKey: true,
  metadata: true,
  features: true,
  themeMode: true,
  themeVariables: true,
  rpcUrls: true,
  allowUnsupportedChain: true,
  enableNetworkSwitch: true,
  enableEIP6963: true,
  enableWalletStandard: true,
  enableWalletConnect: true,
  walletConnect: true,
  enableInjected: true,
  enableReconnect: true,
  enableWallets: true,
  enableWalletGuide: true,
  featuredWalletIds: true,
  includeWalletIds: true,
  excludeWalletIds: true,
  customWallets: true,
  connectors: true,
  siwx: true,
  siweConfig: true,
  termsConditionsUrl: true,
  privacyPolicyUrl: true,
  debug: true,
  enableAuthLogger: true,
})

/** The options of `features`. */
export const featureOptions = namesOf<keyof Features>({
  send: true,
  receive: true,
  onramp: true,
  swaps: true,
  history: true,
  allWallets: true,
  smartSessions: true,
  legalCheckbox: true,
  email: true,
  socials: true,
  emailShowWallets: true,
  analytics: true,
  collapseWallets: true,
})

/** The options of `metadata`. */
export const metadataOptions = namesOf<keyof Metadata>({
  name: true,
  description: true,
  url: true,
  icons: true,
})

/** The options of `walletConnect`. */
export const walletConnectOptions = namesOf<keyof NonNullable<Config['walletConnect']>>({
  relayUrl: true,
  projectId: true,
})

/** The values of `themeMode`. */
export const themeModes = namesOf<ThemeMode>({ dark: true, light: true, system: true })

/** The values of `otpSurface`. */
export const otpSurfaces = namesOf<NonNullable<Config['otpSurface']>>({ frame: true, host: true })

/** The providers of `features.socials`. */
export const socialNames = namesOf<SocialProvider>({
  google: true,
  x: true,
  discord: true,
  farcaster: true,
  github: true,
  apple: true,
  facebook: true,
})

/** The values of `connectMethodsOrder`. */
export const connectMethods = namesOf<ConnectMethod>({ email: true, social: true, wallet: true })

/** The values of `connectorTypeOrder`. */
export const connectorTypes = namesOf<ConnectorType>({
  walletConnect: true,
  recent: true,
  injected: true,
  featured: true,
  custom: true,
  external: true,
  recommended: true,
})

/** The values of `walletFeaturesOrder`. */
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
