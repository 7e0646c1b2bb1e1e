import { afterEach, expect, test } from 'vitest'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getToken } from './getToken.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** An app whose server returns the facts of each requested token. */
async function start() {
  server = await startServer(({ url, body }, response) => {
    if (!url.startsWith('/v1/fungible/price')) return json(response, {}, { status: 404 })
    const { addresses } = body as { addresses: string[] }
    const facts = { name: 'Dollar', symbol: 'USD', iconUrl: '', decimals: 6, price: 1 }
    json(response, { fungibles: addresses.map((address) => ({ address, ...facts })) })
  })
  const environment = { ...createBrowser().openTab(), fetch: globalThis.fetch }
  return openApp(environment, { apiUrl: server.url })
}

test('default: of a contract, and of the native currency', async () => {
  const app = await start()
  const chainId = 'eip155:31337'
  expect(await getToken(app, { chainId, address: contract })).toMatchObject({
    address: `${chainId}:${contract}`,
    symbol: 'USD',
    decimals: 6,
  })
  expect((await getToken(app, { chainId }))?.address).toMatch(/:0xe{40}$/)
  app.destroy()
})

test('behavior: requests nothing in a namespace without prices', async () => {
  const app = await start()
  expect(await getToken(app, { chainId: 'solana:mainnet' })).toBeUndefined()
  expect(server?.calls.filter(({ url }) => url.includes('fungible'))).toEqual([])
  app.destroy()
})
