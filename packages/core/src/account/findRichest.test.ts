import { afterEach, expect, test } from 'vitest'
import { alice } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { latchkeyOne, latchkeySolana, latchkeyTwo, mainnet } from '../networks.ts'
import type { Connection } from '../state.ts'
import { findRichest } from './findRichest.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const sun = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
const namespaces = ['eip155', 'solana'] as const

/** An app with two accounts, and a server that knows these values by network, or nothing. */
async function start(values: Record<string, number> | undefined) {
  const on = { balance: { on: true, source: 'the chain' } }
  const chainIds = Object.keys(values ?? {})
  server = await startServer(({ url }, response) => {
    if (url.startsWith('/v1/supported-chains'))
      return json(response, {
        http: chainIds,
        ws: [],
        features: Object.fromEntries(chainIds.map((id) => [id, on])),
      })
    if (values === undefined) return
    const quantity = { decimals: '9', numeric: '1' }
    const balances = Object.entries(values).map(([chainId, value]) => ({
      ...{ name: 'Coin', symbol: 'C', chainId, value, quantity, iconUrl: '' },
    }))
    json(response, { balances })
  })
  const app = openApp(
    { ...createBrowser().openTab(), fetch: globalThis.fetch },
    {
      apiUrl: server.url,
      networks: [latchkeyOne, latchkeyTwo, latchkeySolana, mainnet],
    },
  )
  const connected = (namespace: 'eip155' | 'solana', address: string): Connection => {
    const account = { namespace, address, type: 'eoa' } as const
    const chainId = namespace === 'solana' ? latchkeySolana.caipNetworkId : 'eip155:31337'
    return {
      ...{ status: 'connected', connectorId: 'one', accounts: [account], account, chainId },
      caipAddress: `${chainId}:${address}`,
    }
  }
  const { connections } = app.store.getState()
  app.store.setState({
    connections: {
      ...connections,
      eip155: connected('eip155', alice),
      solana: connected('solana', sun),
    },
  })
  return app
}

test('default: the account that is worth the most on all its networks', async () => {
  const chain = latchkeySolana.caipNetworkId
  const few = await start({ 'eip155:31337': 5, 'eip155:31338': 6, [chain]: 10 })
  expect(await findRichest(few, { namespaces })).toBe('eip155')
  await server?.stop()
  const many = await start({ 'eip155:31337': 5, 'eip155:31338': 4, [chain]: 10 })
  expect(await findRichest(many, { namespaces })).toBe('solana')
})

test('behavior: real money does not count while a test network is selected', async () => {
  const app = await start({ 'eip155:1': 900, [latchkeySolana.caipNetworkId]: 1 })
  expect(await findRichest(app, { namespaces })).toBe('solana')
})

test('behavior: undefined if nothing has a value, or the server does not respond', async () => {
  expect(await findRichest(await start({ 'eip155:31337': 0 }), { namespaces })).toBeUndefined()
  await server?.stop()
  expect(await findRichest(await start(undefined), { namespaces })).toBeUndefined()
})
