import { directoryWallet, getWalletsRoute } from '@latchkey/wire'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { openApp } from '../../test/tab.ts'
import { getWallets } from './getWallets.ts'
import { readWalletList } from './readWalletList.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function start(answer: unknown) {
  server = await startServer((_, response) => json(response, answer))
  return openApp({ fetch: globalThis.fetch }, { apiUrl: server.url })
}

const alder = {
  id: 'a'.repeat(64),
  name: 'Alder',
  image_id: 'image',
  mobile_link: 'alder://',
  chains: ['eip155:1'],
}

test('behavior: wallets: 40 a page, 100 a search, the term trimmed; of the networks of the app', async () => {
  const app = await start({ count: 0, data: [] })
  expect(await getWallets(app)).toEqual({ count: 0, wallets: [] })
  await getWallets(app, { search: '  meta ', page: 2 })
  await getWallets(app, { search: '   ', include: ['a', 'b'], exclude: [], chains: ['eip155:1'] })
  expect(server?.calls[0]?.url).toMatch(`${getWalletsRoute.path}?`)
  const { networks } = app.store.getState()
  const chains = encodeURIComponent(networks.map(({ caipNetworkId }) => caipNetworkId).join(','))
  const queries = server?.calls.map(({ url }) => url.split('sv=react-0.0.0&')[1])
  expect(queries).toEqual([
    `page=1&entries=40&chains=${chains}`,
    `page=2&entries=100&search=meta&chains=${chains}`,
    'page=1&entries=40&include=a%2Cb&chains=eip155%3A1',
  ])
})

test.each(['<html>', '{}', { count: 1, data: [{ ...alder, name: 1 }] }, { count: -1, data: [] }])(
  'error: the answer %j',
  async (answer) => {
    await expect(getWallets(await start(answer))).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  },
)

test('behavior: what a newer server adds is left out', async () => {
  const app = await start({ count: 1, data: [{ ...alder, rating: 5 }], next: null })
  expect(await getWallets(app)).toEqual({ count: 1, wallets: [alder] })
})

test('behavior: by hand and by the schema the same lists are read', () => {
  const fields = Object.keys(directoryWallet.shape)
  const injected = fc.record(
    { namespace: fc.string(), injected_id: fc.oneof(fc.string(), fc.integer()) },
    { requiredKeys: [] },
  )
  const value = fc.oneof(
    { weight: 20, arbitrary: fc.string() },
    ...[fc.integer(), fc.constantFrom(null, undefined, true), fc.array(fc.string())],
    ...[fc.array(injected, { maxLength: 2 }), fc.object()],
  )
  const changes = fc.dictionary(fc.constantFrom(...fields, 'rating'), value, { maxKeys: 3 })
  const lists = fc.array(
    changes.map((changed) => ({ ...alder, ...changed })),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(fc.nat(), lists, (count, wallets) => {
      const parsed = z.safeParse(getWalletsRoute.result, { count, data: wallets })
      const read = attempt(() => readWalletList({ count, wallets }))
      const expected = parsed.data && { count, wallets: parsed.data.data.map(withoutNull) }
      expect(read).toEqual(expected)
    }),
    { numRuns: 1_000 },
  )
})

const withoutNull = (wallet: object) =>
  Object.fromEntries(Object.entries(wallet).filter(([, value]) => value !== null))

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
