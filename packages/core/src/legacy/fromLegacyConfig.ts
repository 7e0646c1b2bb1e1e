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
export function fromLegacyConfig({ features, ...legacy }: LegacyConfig): Config {
  if (legacy.siwx && legacy.siweConfig)
    throw new TypeError('Cannot set both `siweConfig` and `siwx` options')
  const config: Record<string, unknown> = {}
  const set = (path: string, value: unknown) => {
    const [group = '', name] = path.split('.')
    config[group] = name || isOptions(value) ? merge(config[group], name, value) : value
  }
  for (const [name, value] of Object.entries(features ?? {})) {
    // A feature that was set to undefined was off.
    if (name === 'socials' && value === undefined) continue
    set(getPath(name) ?? `features.${name}`, value ?? false)
  }
  for (const [name, value] of Object.entries(legacy)) {
    // A relay that is named does not enable what is disabled.
    if (name === 'walletConnect' && legacy.enableWalletConnect === false) continue
    if (name === 'enableWalletConnect' && value !== false) continue
    if (value !== undefined && value !== null) set(getPath(name) ?? name, value)
  }
  return config as Config
}

const getPath = (name: string) => (Object.hasOwn(legacyPaths, name) ? legacyPaths[name] : undefined)

/** Whether a value is a group of options, which may be set in part already. */
const isOptions = (value: unknown) => typeof value === 'object' && !Array.isArray(value)

const merge = (group: unknown, name: string | undefined, value: unknown) => ({
  ...(group as object | undefined),
  ...(name ? { [name]: value } : (value as object)),
})
