import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { alice } from '../../test/fakeWallet.ts'
import { type Call, json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getPortfolio } from './getPortfolio.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const ether = (chainId: string, numeric: string) => ({
  name: 'Ether',
  symbol: 'ETH',
  chainId,
  quantity: { decimals: '18', numeric },
  iconUrl: '',
})
const on = { balance: { on: true, source: 'the chain' } }

async function start(answer: (call: Call, response: ServerResponse) => void) {
  server = await startServer((call, response) => {
    if (call.url.startsWith('/v1/supported-chains'))
      json(response, {
        http: ['eip155:1', 'eip155:10'],
        ws: [],
        features: { 'eip155:1': on, 'eip155:10': on },
      })
    else answer(call, response)
  })
  const app = openApp(
    { ...createBrowser().openTab(), fetch: globalThis.fetch },
    { apiUrl: server.url },
  )
  const asked = () =>
    server?.calls.filter(({ url }) => url.startsWith('/v1/account')).map(({ url }) => url) ?? []
  return { app, asked }
}

test('default: sends one request, and returns only the requested networks', async () => {
  const dust = { ...ether('eip155:1', '1'), quantity: { decimals: '0', numeric: '1' } }
  const { app, asked } = await start((_, response) =>
    json(response, {
      balances: [ether('eip155:1', '2'), dust, ether('eip155:10', '3'), ether('eip155:5', '4')],
    }),
  )
  const chainIds = ['eip155:1', 'eip155:10'] as const
  const question = { address: alice, chainIds }
  const [one, other] = await Promise.all([getPortfolio(app, question), getPortfolio(app, question)])
  expect(one).toEqual({
    balances: [ether('eip155:1', '2'), ether('eip155:10', '3')],
    missing: [],
  })
  expect(other).toEqual(one)
  expect(asked()).toEqual([
    `/v1/account/${alice}/balance?projectId=local&st=latchkey&sv=react-0.0.0&currency=usd`,
  ])
})

test('behavior: networks that could not be read, or that the server does not have, are named', async () => {
  const { app, asked } = await start((_, response) =>
    json(response, { balances: [ether('eip155:1', '2')], unavailable: ['eip155:10'] }),
  )
  const chainIds = ['eip155:1', 'eip155:10', 'eip155:5'] as const
  expect(await getPortfolio(app, { address: alice, chainIds })).toEqual({
    balances: [ether('eip155:1', '2')],
    missing: ['eip155:10', 'eip155:5'],
  })
  expect(await getPortfolio(app, { address: alice, chainIds: ['eip155:5'] })).toEqual({
    balances: [],
    missing: ['eip155:5'],
  })
  expect(asked()).toHaveLength(1)
})

test('error: a server that does not answer', async () => {
  const { app } = await start((_, response) => json(response, 'down', { status: 503 }))
  await expect(getPortfolio(app, { address: alice, chainIds: ['eip155:1'] })).rejects.toMatchObject(
    { code: 'HTTP_FAILED' },
  )
})
