import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { alice } from '../../test/fakeWallet.ts'
import { type Call, json, startServer, type TestServer } from '../../test/server.ts'
import { openApp } from '../../test/tab.ts'
import { closeToast } from '../modal/toast.ts'
import { getHistory } from './getHistory.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const question = { address: alice, chainId: 'eip155:31337' } as const
const spam = {
  nft_info: { name: 'Free money', flags: { is_spam: true } },
  direction: 'in',
  quantity: { numeric: '1' },
}
const coin = {
  fungible_info: { name: 'Ether', symbol: 'ETH', icon: null },
  direction: 'in',
  quantity: { numeric: '1.5' },
  value: null,
  price: null,
}
const transaction = (
  id: string,
  transfers: unknown = [],
  chain: string | null = 'eip155:31337',
) => ({
  id,
  metadata: {
    operationType: 'receive',
    hash: '0x1',
    minedAt: '2026-03-05T10:00:00Z',
    sentFrom: alice,
    sentTo: alice,
    status: 'confirmed',
    nonce: 1,
    application: null,
    chain,
  },
  transfers,
})

async function start(answer: (call: Call, response: ServerResponse) => void) {
  server = await startServer(answer)
  return { app: openApp({ fetch: globalThis.fetch }, { apiUrl: server.url }) }
}

test('default', async () => {
  const sync = { complete: false, progress: 0.4, since: null }
  const { app } = await start((_, response) =>
    json(response, { data: [transaction('a', [coin])], next: 'more', sync }),
  )
  expect(await getHistory(app, question)).toEqual({
    transactions: [transaction('a', [coin])],
    next: 'more',
    sync,
  })
  expect(server?.calls.map(({ url }) => url)).toEqual([
    `/v1/account/${alice}/history?projectId=local&st=latchkey&sv=react-0.0.0&currency=usd&chainId=eip155%3A31337`,
  ])
})

test('param: cursor', async () => {
  const { app } = await start((_, response) => json(response, { data: [], next: null }))
  expect(await getHistory(app, { ...question, cursor: 'a b' })).toEqual({
    transactions: [],
    next: undefined,
    sync: undefined,
  })
  expect(server?.calls[0]?.url).toContain('&cursor=a+b')
})

test('behavior: hides other networks and what is nothing but unwanted NFTs', async () => {
  const data = [
    transaction('no transfers'),
    transaction('null, as older servers say', null),
    transaction('spam', [spam, spam]),
    transaction('spam and more', [spam, coin]),
    transaction('elsewhere', [], 'eip155:1'),
    transaction('nowhere', [], null),
  ]
  const { app } = await start((_, response) => json(response, { data, next: null }))
  const { transactions } = await getHistory(app, question)
  expect(transactions.map(({ id }) => id)).toEqual([
    'no transfers',
    'null, as older servers say',
    'spam and more',
  ])
})

test('behavior: simultaneous calls read once', async () => {
  const { app } = await start((_, response) => json(response, { data: [], next: null }))
  await Promise.all([getHistory(app, question), getHistory(app, question)])
  expect(server?.calls.length).toBe(1)
})

test('error: HISTORY_ADDRESS_MISSING', async () => {
  const app = openApp()
  await expect(getHistory(app, { ...question, address: undefined })).rejects.toThrow(
    "Transactions can't be fetched without an accountAddress",
  )
})

test('error: HISTORY_FAILED, said and counted once until one succeeds', async () => {
  let isDown = true
  const counted: unknown[] = []
  const { app } = await start((_, response) =>
    isDown ? json(response, 'down', { status: 503 }) : json(response, { data: [], next: null }),
  )
  app.runtime.analytics = Promise.resolve((one) => void counted.push(one))
  const failure = { code: 'HISTORY_FAILED', message: 'Failed to fetch transactions' }
  const toast = () => app.store.getState().toast?.message
  await expect(getHistory(app, question)).rejects.toMatchObject(failure)
  expect(toast()).toBe('Failed to fetch transactions')
  closeToast(app)
  await expect(getHistory(app, question)).rejects.toMatchObject(failure)
  expect(toast()).toBeUndefined()
  isDown = false
  await getHistory(app, question)
  isDown = true
  await expect(getHistory(app, question)).rejects.toMatchObject(failure)
  expect(toast()).toBe('Failed to fetch transactions')
  const event = { event: 'ERROR_FETCH_TRANSACTIONS' }
  await expect.poll(() => counted).toEqual([event, event])
  app.destroy()
})

test('error: an invalid response', async () => {
  const { app } = await start((_, response) =>
    json(response, { data: [{ id: 1, metadata: null }], next: null }),
  )
  await expect(getHistory(app, question)).rejects.toMatchObject({
    code: 'HISTORY_FAILED',
    cause: { code: 'ANSWER_INVALID' },
  })
  app.destroy()
})

test('param: signal', async () => {
  const { app } = await start(() => {})
  const controller = new AbortController()
  const asked = getHistory(app, { ...question, signal: controller.signal })
  controller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.store.getState().toast).toBeUndefined()
  app.destroy()
})
