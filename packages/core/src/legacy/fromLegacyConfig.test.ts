import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../createApp.ts'
import { latchkeyOne } from '../networks.ts'
import { fromLegacyConfig, type LegacyConfig } from './fromLegacyConfig.ts'

const required = {
  projectId: 'local',
  apiUrl: 'http://127.0.0.1:1',
  networks: [latchkeyOne],
} as const

/** Every option of an older app except `siweConfig`, none with its default. */
const legacy: Required<Omit<LegacyConfig, 'siweConfig'>> = {
  ...required,
  frameUrl: 'http://localhost:1',
  defaultNetwork: 'eip155:31337',
  rpcUrls: { 'eip155:31337': 'http://127.0.0.1:2' },
  storageKey: 'shop',
  ssr: true,
  initialState: { activeChainId: 'eip155:31337', connections: {} },
  metadata: { name: 'Shop' },
  debug: false,
  allowUnsupportedChain: true,
  connectMethodsOrder: ['wallet', 'email'],
  connectorTypeOrder: ['injected'],
  connectors: [() => undefined],
  customWallets: [{ id: 'mine', name: 'Mine' }],
  enableAuthLogger: false,
  enableEIP6963: false,
  enableInjected: false,
  enableNetworkSwitch: false,
  enableReconnect: false,
  enableWalletConnect: true,
  enableWalletGuide: false,
  enableWalletStandard: false,
  enableWallets: false,
  excludeWalletIds: ['a'],
  featuredWalletIds: ['b'],
  features: {
    send: false,
    receive: false,
    onramp: false,
    swaps: false,
    history: false,
    smartSessions: true,
    allWallets: false,
    analytics: true,
    collapseWallets: true,
    email: false,
    emailShowWallets: false,
    legalCheckbox: true,
    socials: ['google'],
  },
  includeWalletIds: ['c'],
  otpSurface: 'host',
  privacyPolicyUrl: 'https://shop.example/privacy',
  siwx: { required: false },
  termsConditionsUrl: 'https://shop.example/terms',
  themeMode: 'light',
  themeVariables: { '--lk-accent': '#f00' },
  walletConnect: { relayUrl: 'wss://relay.example' },
  walletFeaturesOrder: ['send'],
}

test('default: every option has its group', () => {
  expect(fromLegacyConfig(legacy)).toEqual({
    ...required,
    frameUrl: 'http://localhost:1',
    defaultNetwork: 'eip155:31337',
    rpcUrls: { 'eip155:31337': 'http://127.0.0.1:2' },
    storageKey: 'shop',
    ssr: true,
    initialState: { activeChainId: 'eip155:31337', connections: {} },
    metadata: { name: 'Shop' },
    debug: false,
    wallets: {
      enabled: false,
      featuredIds: ['b'],
      includedIds: ['c'],
      excludedIds: ['a'],
      custom: [{ id: 'mine', name: 'Mine' }],
      connectors: legacy.connectors,
      order: ['injected'],
      all: false,
      collapsed: true,
      guide: false,
      injected: false,
      eip6963: false,
      walletStandard: false,
      walletConnect: { relayUrl: 'wss://relay.example' },
      reconnect: false,
    },
    login: {
      email: false,
      socials: ['google'],
      showWallets: false,
      otpSurface: 'host',
      logMessages: false,
    },
    modal: {
      themeMode: 'light',
      themeVariables: { '--lk-accent': '#f00' },
      connectOrder: ['wallet', 'email'],
      actionOrder: ['send'],
      networkSwitch: false,
      allowUnsupportedChain: true,
      termsUrl: 'https://shop.example/terms',
      privacyUrl: 'https://shop.example/privacy',
      legalCheckbox: true,
    },
    features: {
      send: false,
      receive: false,
      onramp: false,
      swaps: false,
      history: false,
      smartSessions: true,
    },
    signIn: { required: false },
    analytics: true,
  })
})

test('behavior: an app gets no warning for a converted config, and no group for what is not set', () => {
  const warnings: string[] = []
  const { debug, ...shown } = legacy
  const app = createApp(fromLegacyConfig(shown), { warn: (message) => warnings.push(message) })
  onTestFinished(app.destroy)
  expect(warnings).toEqual([])
  expect(fromLegacyConfig(required)).toEqual(required)
})

test('behavior: what JavaScript lets through keeps its effect', () => {
  const given = {
    ...required,
    features: { email: undefined, send: undefined, socials: undefined, analytics: undefined },
    walletConnect: null,
    enableInjected: null,
    featuredWalletIds: ['a'],
    wallets: { guide: false },
  }
  expect(fromLegacyConfig(given as unknown as LegacyConfig)).toEqual({
    ...required,
    login: { email: false },
    features: { send: false },
    analytics: false,
    wallets: { featuredIds: ['a'], guide: false },
  })
  expect(fromLegacyConfig({ ...required, features: null } as unknown as LegacyConfig)).toEqual(
    required,
  )
})

test('param: siweConfig', () => {
  const siweConfig = {} as NonNullable<LegacyConfig['siweConfig']>
  expect(fromLegacyConfig({ ...required, siweConfig })).toEqual({
    ...required,
    signIn: { siwe: siweConfig },
  })
})

test('param: enableWalletConnect: false wins over a relay that is named', () => {
  const { enableWalletConnect: _, ...relay } = { ...required, ...legacy }
  for (const config of [
    { enableWalletConnect: false, ...relay },
    { ...relay, enableWalletConnect: false },
  ])
    expect(fromLegacyConfig(config).wallets?.walletConnect).toBe(false)
})

test('error: an account signs in in one format', () => {
  const siweConfig = {} as NonNullable<LegacyConfig['siweConfig']>
  expect(() => fromLegacyConfig({ ...required, siwx: {}, siweConfig })).toThrow(
    new TypeError('Cannot set both `siweConfig` and `siwx` options'),
  )
})
