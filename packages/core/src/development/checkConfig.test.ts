import { readFileSync } from 'node:fs'
import { mainnet as viemMainnet } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '../app.ts'
import { createApp } from '../createApp.ts'
import { getCustomWallets } from '../directory/customWallets.ts'
import { fromViemChain } from '../namespaces/eip155/defineNetwork.ts'
import { allNetworks, latchkeyOne, latchkeyTwo } from '../networks.ts'
import { themeVariables } from './configNames.ts'

/** The warnings for a config with these settings, which a developer in JavaScript may write. */
function open(settings: Record<string, unknown> = {}) {
  const warnings: string[] = []
  const config = {
    projectId: 'local',
    apiUrl: 'http://127.0.0.1:1',
    networks: [latchkeyOne],
    ...settings,
  } as unknown as Config
  const start = () => createApp(config, { warn: (message) => warnings.push(message) })
  const app = start()
  onTestFinished(() => app.destroy())
  return { app, warnings, start }
}

test('default: a complete config gets no warning', () => {
  const { warnings } = open({
    networks: [...allNetworks, fromViemChain(viemMainnet)],
    frameUrl: 'http://localhost:1',
    defaultNetwork: 'eip155:1',
    modal: {
      themeMode: 'system',
      themeVariables: { '--lk-accent': '#f00' },
      connectOrder: ['wallet', 'email'],
    },
    login: { email: true, socials: ['google'] },
    wallets: { custom: [{ id: 'mine', name: 'Mine' }], connectors: [() => undefined] },
    signIn: undefined,
  })
  expect(warnings).toEqual([])
})

test.each([
  [
    undefined,
    '`networks` is missing. Name at least one network of `@latchkey/react/networks`, such as `networks: [mainnet]`',
  ],
  [
    [],
    '`networks` is empty. Name at least one network of `@latchkey/react/networks`, such as `networks: [mainnet]`',
  ],
  [
    latchkeyOne,
    '`networks` is not a list. Name at least one network of `@latchkey/react/networks`, such as `networks: [mainnet]`',
  ],
  [
    [latchkeyOne, undefined],
    '`networks[1]` is undefined. Use a network of `@latchkey/react/networks`, and check that it exports this name',
  ],
  [
    [viemMainnet],
    '`networks[0]` is a chain of viem (Ethereum). Convert it: `fromViemChain(chain)` of `@latchkey/react/networks`',
  ],
  [
    [{ ...viemMainnet, caipNetworkId: 'eip155:1', chainNamespace: 'eip155' }],
    '`networks[0]` is a chain of viem (Ethereum). Convert it: `fromViemChain(chain)` of `@latchkey/react/networks`',
  ],
  [
    [{ id: 5, name: 'Five' }],
    '`networks[0]` is not a network: `caipNetworkId`, `chainNamespace`, `nativeCurrency`, `rpcUrls`, `assets` is missing. Use a network of `@latchkey/react/networks`, or make one with `defineNetwork`',
  ],
  [
    [{ ...latchkeyOne, caipNetworkId: '31337' }],
    '`networks[0]` has the `caipNetworkId` "31337" instead of "eip155:31337". Make it with `defineNetwork` of `@latchkey/react/networks`',
  ],
])('error: networks, case %#', (networks, message) => {
  expect(() => open({ networks })).toThrow(new TypeError(message))
})

test.each([
  [{}, '`wallets.connectors` is not a list. Write `connectors: [safe({ allowedOrigins })]`'],
  [
    [{}],
    '`wallets.connectors[0]` is an object. Pass the result of a function of `@latchkey/react/connectors`, such as `safe({ allowedOrigins })`',
  ],
  [
    [() => undefined, () => () => undefined],
    'An entry of `wallets.connectors` created a function instead of a connector. Call it in the config: `connectors: [ledger()]`, not `connectors: [ledger]`',
  ],
  [
    [() => ({ id: 'injected', type: 'injected' })],
    'An entry of `wallets.connectors` created no connector. Use the functions of `@latchkey/react/connectors`; connectors of other libraries do not fit',
  ],
])('error: connectors, case %#', (connectors, message) => {
  expect(() => open({ wallets: { connectors } })).toThrow(new TypeError(message))
})

test.each([
  [
    { projectId: undefined },
    '`projectId` is missing. Set it to an id that the server knows: a server that you run yourself accepts `local`',
  ],
  [
    { frameUrl: 'frame.example' },
    '`frameUrl` is "frame.example". Set it to the URL of your secure frame, such as https://frame.example',
  ],
  [
    { modal: { themeMod: 'dark' } },
    '`modal.themeMod` does not exist and has no effect. Did you mean `themeMode`?',
  ],
  [
    { themeMode: 'dark' },
    '`themeMode` does not exist and has no effect. Did you mean `modal.themeMode`?',
  ],
  [
    { features: { email: true } },
    '`features.email` does not exist and has no effect. Did you mean `login.email`?',
  ],
  [
    { features: { swap: true } },
    '`features.swap` does not exist and has no effect. Did you mean `swaps`?',
  ],
  [
    { wallets: { walletConnect: { relay: '' } } },
    '`wallets.walletConnect.relay` does not exist and has no effect. Use one of: relayUrl, projectId',
  ],
  [
    { modal: { themeVariables: { '--lk-acent': '#f00' } } },
    '`modal.themeVariables.--lk-acent` does not exist and has no effect. Did you mean `--lk-accent`?',
  ],
  [
    { signIn: { requred: false } },
    '`signIn.requred` does not exist and has no effect. Did you mean `required`?',
  ],
  [
    { features: { toString: 1 } },
    '`features.toString` does not exist and has no effect. Use one of: send, receive, onramp, swaps, history, smartSessions',
  ],
  [
    { wallets: { walletConnect: 'wss://relay.example' } },
    '`wallets.walletConnect` is "wss://relay.example", which has no effect. Write `walletConnect: { relayUrl }`',
  ],
  [
    { rpcUrls: { 'eip155:31337': '' } },
    '`rpcUrls["eip155:31337"]` is "". Set it to the URL of a node, or leave it out',
  ],
  [
    { rpcUrls: { 1: 'https://node.example' } },
    '`rpcUrls` has "1", which is not in `networks`. Use one of: eip155:31337',
  ],
  [
    { modal: { themeMode: 'blue' } },
    '`modal.themeMode` has the value "blue", which does not exist. Use one of: dark, light, system',
  ],
  [
    { login: { socials: ['gogle'] }, frameUrl: 'http://localhost:1' },
    '`login.socials` has the value "gogle", which does not exist. Did you mean `google`?',
  ],
  [
    { login: { socials: ['google'] } },
    '`login.socials` has no effect without `frameUrl`. Set it to the URL of your secure frame, such as https://frame.example',
  ],
  [
    { modal: { connectOrder: ['wallets'] } },
    '`modal.connectOrder` has the value "wallets", which does not exist. Did you mean `wallet`?',
  ],
  [
    { modal: { connectOrder: ['socials'] } },
    '`modal.connectOrder` has the value "socials", which does not exist. Did you mean `social`?',
  ],
  [
    { features: { analytics: true } },
    '`features.analytics` does not exist and has no effect. Did you mean `analytics`?',
  ],
  [
    { defaultNetwork: 'eip155:1', networks: [latchkeyOne, latchkeyTwo] },
    '`defaultNetwork` is "eip155:1", which is not in `networks`. Set it to one of: eip155:31337, eip155:31338',
  ],
  [
    { wallets: { custom: [{ name: 'Mine' }] } },
    '`wallets.custom[0]` has no `id` and is not listed. Give it an `id` that no other wallet has, and a `name`',
  ],
])('error: %j is a warning, once', (settings, message) => {
  const { warnings, start } = open(settings)
  expect(warnings).toEqual([message])
  start().destroy()
  expect(warnings).toHaveLength(1)
})

test.each([
  ['siwx', { siwx: {} }],
  ['siweConfig', { siweConfig: {} }],
])('error: an earlier %s is refused, also in production', (_, settings) => {
  for (const mode of ['development', 'production']) {
    vi.stubEnv('NODE_ENV', mode)
    expect(() => open(settings)).toThrow(/is called `signIn` now/)
  }
  vi.unstubAllEnvs()
})

test.each([
  [{ modal: null }, '`modal` is null. Write its options in an object, `modal: {}`'],
  [{ signIn: true }, '`signIn` is true. Write its options in an object, `signIn: {}`'],
])('error: a group that is no object: %j', (settings, message) => {
  expect(() => open(settings)).toThrow(new TypeError(message))
})

test('error: a custom wallet without an id is not listed', () => {
  const { app } = open({ wallets: { custom: [{ name: 'Mine' }, { id: 'two', name: 'Two' }] } })
  expect(getCustomWallets(app).map(({ id }) => id)).toEqual(['two'])
})

test('behavior: production checks nothing', () => {
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(open({ modal: { themeMode: 'blue' }, apiUrl: undefined }).warnings).toEqual([])
})

test('behavior: the variables of the theme are those that its style sheet lists', () => {
  const css = readFileSync(new URL('../../../react/src/theme.css', import.meta.url), 'utf8')
  const listed = css.slice(0, css.indexOf('*/')).match(/--lk-[\w-]+/g)
  expect([...themeVariables].sort()).toEqual([...new Set(listed)].sort())
})
