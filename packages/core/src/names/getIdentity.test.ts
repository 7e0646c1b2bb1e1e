import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getIdentity } from './getIdentity.ts'
import { isName } from './isName.ts'
import { resolveName } from './resolveName.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const chainId = 'eip155:31337'
const features = { [chainId]: { identity: { on: true, source: 'ens' } } }

async function start(answer: (path: string, response: ServerResponse) => void) {
  const clock = { ms: 1_000_000 }
  server = await startServer(({ url }, response) => {
    if (url.startsWith('/v1/supported-chains'))
      return json(response, { http: [chainId], ws: [], features })
    answer(url.split('?')[0] ?? '', response)
  })
  const app = openApp(
    { ...createBrowser().openTab(), fetch: globalThis.fetch, now: () => clock.ms },
    { apiUrl: server.url },
  )
  const asked = () =>
    server?.calls.filter(({ url }) => url.startsWith('/v1/identity')).map(({ url }) => url) ?? []
  return { app, clock, asked }
}

const named = (name: string | null, avatar: string | null = null) => ({
  name,
  avatar,
  resolvedAt: null,
})

test('default', async () => {
  const { app, asked } = await start((_, response) =>
    json(response, named('alice.eth', `${server?.url}/v1/identity/a/avatar`)),
  )
  const profile = { name: 'alice.eth', imageUrl: `${server?.url}/v1/identity/a/avatar` }
  expect(await getIdentity(app, { address: alice, chainId })).toEqual(profile)
  expect(app.store.getState().profiles).toEqual({ [`${chainId}:${alice}`]: profile })
  expect(asked()).toEqual([
    `/v1/identity/${alice}?projectId=local&st=latchkey&sv=react-0.0.0&sender=${alice}`,
  ])
})

test('behavior: good for 5 minutes, asked once at the same time', async () => {
  const { app, clock, asked } = await start((_, response) => json(response, named('alice.eth')))
  const ask = () => getIdentity(app, { address: alice, chainId })
  await Promise.all([ask(), ask()])
  clock.ms += 5 * 60_000 - 1
  await ask()
  expect(asked().length).toBe(1)
  clock.ms += 1
  await ask()
  expect(asked().length).toBe(2)
})

test('behavior: a picture of another server and a name with something unseen are left out', async () => {
  const { app } = await start((_, response) =>
    json(response, named('ali\u202ece.eth', 'https://elsewhere.example/a.png')),
  )
  expect(await getIdentity(app, { address: alice, chainId })).toEqual({})
})

test('behavior: a network without names is not asked', async () => {
  const { app, asked } = await start((_, response) => json(response, named('alice.eth')))
  expect(await getIdentity(app, { address: alice, chainId: 'eip155:31338' })).toEqual({})
  expect(asked()).toEqual([])
})

test('error: a failure is not kept', async () => {
  let isDown = true
  const { app } = await start((_, response) =>
    isDown ? json(response, 'down', { status: 503 }) : json(response, named('alice.eth')),
  )
  const ask = () => getIdentity(app, { address: alice, chainId })
  await expect(ask()).rejects.toMatchObject({ code: 'HTTP_FAILED' })
  isDown = false
  expect(await ask()).toEqual({ name: 'alice.eth' })
})

test('default: a name', async () => {
  const { app, asked } = await start((path, response) =>
    json(response, { ...named(path.split('/').at(-1) ?? ''), address: bob }),
  )
  const ask = () => resolveName(app, { name: ' Bob.eth ', chainId })
  expect(await ask()).toEqual({ name: 'bob.eth', address: bob })
  await ask()
  expect(asked()).toEqual([
    '/v1/identity/name/bob.eth?projectId=local&st=latchkey&sv=react-0.0.0&chainId=eip155%3A31337',
  ])
})

test('param: forceUpdate asks past what is kept, and keeps the answer', async () => {
  let address: string = bob
  const { app, asked } = await start((_, response) =>
    json(response, { ...named('bob.eth'), address }),
  )
  await resolveName(app, { name: 'bob.eth', chainId })
  address = alice
  const forced = await resolveName(app, { name: 'bob.eth', chainId, forceUpdate: true })
  expect(forced).toEqual({ name: 'bob.eth', address: alice })
  expect(asked().map((url) => url.includes('forceUpdate=true'))).toEqual([false, true])
  expect(await resolveName(app, { name: 'bob.eth', chainId })).toEqual(forced)
})

test('error: a name without an account, and a response that is not an address', async () => {
  let address: string | null = null
  const { app, clock } = await start((_, response) =>
    json(response, { ...named('bob.eth'), address }),
  )
  const ask = () => resolveName(app, { name: 'bob.eth', chainId })
  expect(await ask()).toEqual({ name: 'bob.eth' })
  address = 'javascript:alert(1)'
  clock.ms += 5 * 60_000
  expect(await ask()).toEqual({ name: 'bob.eth' })
})

test.each([
  ['alice.eth', true],
  ['alice.latchkey.eth', true],
  [' bücher.eth ', true],
  [alice, false],
  ['alice', false],
  ['', false],
  ['a..eth', false],
  ['.eth', false],
  ['a b.eth', false],
])('param: is %s a name: %s', (text, expected) => {
  expect(isName(text)).toBe(expected)
})
