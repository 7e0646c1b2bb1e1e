import type {
  Config,
  Features,
  LoginOptions,
  ModalOptions,
  RelayOptions,
  WalletOptions,
} from '../app.ts'
import type { SiweConfig } from '../siwx/siweConfig.ts'
import type { SiwxConfig } from '../siwx/siwx.ts'
import { legacyPaths } from './legacyPaths.ts'

/** The `features` of an older app. */
export type LegacyFeatures = Features &
  Required<Pick<LoginOptions, 'email'>> &
  Pick<LoginOptions, 'socials'> & {
    allWallets: boolean
    analytics: boolean
    collapseWallets: boolean
    emailShowWallets: boolean
    legalCheckbox: boolean
  }

/** The configuration of an older app, with all options side by side. */
export type LegacyConfig = Omit<
  Config,
  'wallets' | 'login' | 'modal' | 'features' | 'signIn' | 'analytics'
> & {
  allowUnsupportedChain?: boolean
  connectMethodsOrder?: NonNullable<ModalOptions['connectOrder']>
  connectorTypeOrder?: NonNullable<WalletOptions['order']>
  connectors?: NonNullable<WalletOptions['connectors']>
  customWallets?: NonNullable<WalletOptions['custom']>
  enableAuthLogger?: boolean
  enableEIP6963?: boolean
  enableInjected?: boolean
  enableNetworkSwitch?: boolean
  enableReconnect?: boolean
  enableWalletConnect?: boolean
  enableWalletGuide?: boolean
  enableWalletStandard?: boolean
  enableWallets?: boolean
  excludeWalletIds?: readonly string[]
  featuredWalletIds?: readonly string[]
  features?: Partial<LegacyFeatures>
  includeWalletIds?: readonly string[]
  otpSurface?: NonNullable<LoginOptions['otpSurface']>
  privacyPolicyUrl?: string
  siweConfig?: SiweConfig
  siwx?: SiwxConfig
  termsConditionsUrl?: string
  themeMode?: NonNullable<ModalOptions['themeMode']>
  themeVariables?: NonNullable<ModalOptions['themeVariables']>
  walletConnect?: RelayOptions
  walletFeaturesOrder?: NonNullable<ModalOptions['actionOrder']>
}

/**
 * Converts the configuration of an older app. Throws a TypeError if both `siwx` and `siweConfig`
 * are set.
 */
export function fromLegacyConfig({ features = {}, ...legacy }: LegacyConfig): Config {
  if (legacy.siwx && legacy.siweConfig)
    throw new TypeError('Cannot set both `siweConfig` and `siwx` options')
  const { analytics, ...shown } = features
  const config: Record<string, unknown> = { analytics }
  const set = (group: string, name: string, value: unknown) => {
    config[group] = { ...(config[group] as object | undefined), [name]: value }
  }
  for (const [name, value] of Object.entries(shown)) {
    const [group = '', option = ''] = legacyPaths[name]?.split('.') ?? ['features', name]
    set(group, option, value)
  }
  for (const [name, value] of Object.entries(legacy)) {
    const [group = '', option] = (legacyPaths[name] ?? name).split('.')
    // A relay that is named does not enable what is disabled.
    if (name === 'walletConnect' && legacy.enableWalletConnect === false) continue
    if (name === 'enableWalletConnect' && value !== false) continue
    if (value === undefined) continue
    if (option) set(group, option, value)
    else config[group] = value
  }
  if (analytics === undefined) delete config.analytics
  return config as Config
}
