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
    themeMode: 'system',
    themeVariables: { '--lk-accent': '#f00' },
    features: { email: true, socials: ['google'] },
    connectMethodsOrder: ['wallet', 'email'],
    customWallets: [{ id: 'mine', name: 'Mine' }],
    connectors: [() => undefined],
    siwx: undefined,
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
  [{}, '`connectors` is not a list. Write `connectors: [safe({ allowedOrigins })]`'],
  [
    [{}],
    '`connectors[0]` is an object. Pass the result of a function of `@latchkey/react/connectors`, such as `safe({ allowedOrigins })`',
  ],
  [
    [() => undefined, () => () => undefined],
    'An entry of `connectors` created a function instead of a connector. Call it in the config: `connectors: [ledger()]`, not `connectors: [ledger]`',
  ],
  [
    [() => ({ id: 'injected', type: 'injected' })],
    'An entry of `connectors` created no connector. Use the functions of `@latchkey/react/connectors`; connectors of other libraries do not fit',
  ],
])('error: connectors, case %#', (connectors, message) => {
  expect(() => open({ connectors })).toThrow(new TypeError(message))
})

test('error: an account signs in in one format', () => {
  expect(() => open({ siwx: {}, siweConfig: {} })).toThrow(
    new TypeError('Cannot set both `siweConfig` and `siwx` options'),
  )
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
  [{ themeMod: 'dark' }, '`themeMod` does not exist and has no effect. Did you mean `themeMode`?'],
  [
    { features: { swap: true } },
    '`features.swap` does not exist and has no effect. Did you mean `swaps`?',
  ],
  [
    { walletConnect: { relay: '' } },
    '`walletConnect.relay` does not exist and has no effect. Use one of: relayUrl, projectId',
  ],
  [
    { themeVariables: { '--lk-acent': '#f00' } },
    '`themeVariables.--lk-acent` does not exist and has no effect. Did you mean `--lk-accent`?',
  ],
  [
    { themeMode: 'blue' },
    '`themeMode` has the value "blue", which does not exist. Use one of: dark, light, system',
  ],
  [
    { features: { socials: ['gogle'] }, frameUrl: 'http://localhost:1' },
    '`features.socials` has the value "gogle", which does not exist. Did you mean `google`?',
  ],
  [
    { features: { socials: ['google'] } },
    '`features.socials` has no effect without `frameUrl`. Set it to the URL of your secure frame, such as https://frame.example',
  ],
  [
    { connectMethodsOrder: ['wallets'] },
    '`connectMethodsOrder` has the value "wallets", which does not exist. Did you mean `wallet`?',
  ],
  [
    { defaultNetwork: 'eip155:1', networks: [latchkeyOne, latchkeyTwo] },
    '`defaultNetwork` is "eip155:1", which is not in `networks`. Set it to one of: eip155:31337, eip155:31338',
  ],
  [
    { customWallets: [{ name: 'Mine' }] },
    '`customWallets[0]` has no `id` and is not listed. Give it an `id` that no other wallet has, and a `name`',
  ],
])('error: %j is a warning, once', (settings, message) => {
  const { warnings, start } = open(settings)
  expect(warnings).toEqual([message])
  start().destroy()
  expect(warnings).toHaveLength(1)
})

test('error: a custom wallet without an id is not listed', () => {
  const { app } = open({ customWallets: [{ name: 'Mine' }, { id: 'two', name: 'Two' }] })
  expect(getCustomWallets(app).map(({ id }) => id)).toEqual(['two'])
})

test('behavior: production checks nothing', () => {
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(open({ themeMode: 'blue', apiUrl: undefined }).warnings).toEqual([])
})

test('behavior: the variables of the theme are those that its style sheet lists', () => {
  const css = readFileSync(new URL('../../../react/src/theme.css', import.meta.url), 'utf8')
  const listed = css.slice(0, css.indexOf('*/')).match(/--lk-[\w-]+/g)
  expect([...themeVariables].sort()).toEqual([...new Set(listed)].sort())
})
