import { type Chains, startChains } from '@latchkey/dev'
import type { ChainId, SupportedChains } from '@latchkey/wire'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { alice } from '../../test/fakeWallet.ts'
import { openApp } from '../../test/tab.ts'
import { getNativeBalance } from '../account/getNativeBalance.ts'
import type { Config } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { defineNetwork, fromViemChain } from '../namespaces/eip155/defineNetwork.ts'
import { mainnet, type Network } from '../networks.ts'
import { getAreas } from '../server/getAreas.ts'
import { getRpcClient } from './getRpcClient.ts'

let chains: Chains

beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())

const chainId = 'eip155:31337'
const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const ownNetwork = (url: string) =>
  defineNetwork({ id: 31337, name: 'Our chain', nativeCurrency: ether, rpcUrls: [url] })

/** An app with a network, whose server has nodes for `served`, and fails while `isDown`. */
function open(
  network: Network,
  {
    served = [],
    isDown = false,
    config = {},
  }: { served?: readonly ChainId[]; isDown?: boolean; config?: Partial<Config> } = {},
) {
  const asked: string[] = []
  const server = { isDown }
  const app = openApp(
    {
      fetch: async (input, init) => {
        const url = new URL(String(input))
        if (url.origin !== 'http://127.0.0.1:1') return fetch(input, init)
        asked.push(url.pathname)
        if (url.pathname !== '/v1/supported-chains' || server.isDown)
          return Response.json({}, { status: 429 })
        const on = { on: true, source: 'server' }
        const features = Object.fromEntries(served.map((id) => [id, { balance: on }]))
        return Response.json({ http: served, ws: [], features } as unknown as SupportedChains)
      },
    },
    { networks: [network], ...config },
  )
  onTestFinished(app.destroy)
  return { app, asked, server }
}

test('default: the endpoint of a network that the server does not have is read, as with viem', async () => {
  for (const network of [
    ownNetwork(chains.urls[chainId]),
    fromViemChain({
      ...{ id: 31337, name: 'Our chain', nativeCurrency: ether },
      rpcUrls: { default: { http: [chains.urls[chainId]] } },
    }),
  ]) {
    const { app, asked } = open(network)
    expect(await getNativeBalance(app, { address: alice, chainId })).toBeGreaterThan(0n)
    expect(getCapabilities(app, { chainId, areas: (await getAreas(app))(chainId) })).toMatchObject({
      balances: true,
    })
    expect(asked).toEqual(['/v1/supported-chains'])
    expect(app.warnings).toEqual([])
  }
})

test('behavior: while the server answers nothing, no one else learns an address', async () => {
  const { app, asked, server } = open(ownNetwork(chains.urls[chainId]), { isDown: true })
  await expect(getRpcClient(app, chainId)('eth_chainId', [])).rejects.toThrow()
  expect([...new Set(asked)]).toEqual(['/v1/supported-chains', '/v1/'])
  server.isDown = false
  expect(await getRpcClient(app, chainId)('eth_chainId', [])).toBe('0x7a69')
})

test.each([
  ['an empty URL in the config', { rpcUrls: { [chainId]: '' } }, ownNetwork('')],
  ['readsFromRpcUrls: false', {}, { ...ownNetwork('http://127.0.0.1:2'), readsFromRpcUrls: false }],
])('behavior: %s leaves the reads to the server', async (_, config, network) => {
  const { app, asked } = open(network, { config })
  await expect(getRpcClient(app, chainId)('eth_chainId', [])).rejects.toThrow()
  expect([...new Set(asked)]).toEqual(['/v1/'])
})

test('behavior: the node of the server wins', async () => {
  const { app, asked } = open(ownNetwork(chains.urls[chainId]), { served: [chainId] })
  await expect(getRpcClient(app, chainId)('eth_chainId', [])).rejects.toThrow()
  expect(asked).toContain('/v1/')
})

test('behavior: the endpoints of preconfigured networks are not read, because they belong to others', async () => {
  expect(mainnet.rpcUrls).not.toEqual([])
  const { app, asked } = open({ ...mainnet, rpcUrls: [chains.urls[chainId]] })
  await expect(getRpcClient(app, 'eip155:1')('eth_chainId', [])).rejects.toThrow()
  expect([...new Set(asked)]).toEqual(['/v1/'])
})

test('error: an endpoint of another chain is refused', async () => {
  const { app } = open(ownNetwork(chains.urls['eip155:31338']))
  await expect(getRpcClient(app, chainId)('eth_blockNumber', [])).rejects.toMatchObject({
    code: 'RPC_CHAIN_WRONG',
  })
})
