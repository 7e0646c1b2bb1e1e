import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  type FakeWallet,
  fakeConnector,
} from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { latchkeyOne, latchkeyTwo } from '../networks.ts'
import { cleanLabel, nameProblem } from './nameRules.ts'
import { changeName, getNames, registerName } from './registerName.ts'
import { suggestNames } from './suggestNames.ts'

const nowMs = 1_767_225_600_000
const id = `eip155:31337:${alice}`
const zone = 'latchkey.id'

let server: TestServer
let wallet: FakeWallet
let answer: (path: string, response: ServerResponse) => void
beforeEach(async () => {
  wallet = createFakeWallet()
  server = await startServer(({ url }, response) => answer(url.split('?')[0] ?? '', response))
})
afterEach(() => server.stop())

async function open(networks: Config['networks'] = [latchkeyOne, latchkeyTwo]) {
  const connector = fakeConnector({ id: 'test.wallet', wallet })
  const app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: globalThis.fetch,
      now: () => nowMs,
      connectors: [connector],
    },
    { apiUrl: server.url, networks },
  )
  await connect(app, { connectorId: connector.info.id })
  return app
}

const record = (name: string) => ({
  name,
  registered_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  attributes: { bio: 'Hi' },
  addresses: {
    60: { address: alice, created_at: null, created: null },
    2147515001: { address: alice, created_at: null, created: null },
  },
})

test('default: the account signs a message that is bound to action and name, and shows the name', async () => {
  answer = (_, response) => json(response, record(`alder.${zone}`))
  const app = await open()
  app.store.setState({ profiles: { [id]: {}, [`eip155:31338:${alice}`]: {} } })
  expect(await registerName(app, { label: 'alder', zone })).toEqual({
    name: 'alder.latchkey.id',
    bio: 'Hi',
    addresses: [{ address: alice, coinTypes: [60, 2147515001] }],
  })
  const { url, body } = server.calls[0] ?? {}
  expect(url).toMatch(/^\/v1\/profile\/account\?/)
  expect(body).toMatchObject({ coin_type: 2 ** 31 + 31337, address: alice })
  const { message } = body as { message: string }
  expect(JSON.parse(message)).toEqual({
    action: 'register',
    name: 'alder.latchkey.id',
    attributes: {},
    timestamp: nowMs / 1000,
  })
  const signed = wallet.calls.find(({ method }) => method === 'personal_sign')?.params as string[]
  expect(Buffer.from(signed[0]?.slice(2) ?? '', 'hex').toString()).toBe(message)
  expect(app.store.getState().profiles[id]).toEqual({ name: 'alder.latchkey.id' })
})

test('behavior: the ENS name of an account stays in front', async () => {
  answer = (_, response) => json(response, record(`alder.${zone}`))
  const app = await open()
  app.store.setState({ profiles: { [id]: { name: 'alice.eth' } } })
  await registerName(app, { label: 'alder', zone })
  expect(app.store.getState().profiles[id]).toEqual({ name: 'alice.eth' })
})

test('error: the reason of the server arrives, and a wrong signature is not a wrong project', async () => {
  for (const status of [400, 401]) {
    const reasons = [{ field: 'signature', description: 'The signature is not valid' }]
    answer = (_, response) => json(response, { status: 'FAILED', reasons }, { status })
    const app = await open()
    await expect(registerName(app, { label: 'alder', zone })).rejects.toMatchObject({
      code: 'HTTP_FAILED',
      data: { status, field: 'signature', reason: 'The signature is not valid' },
    })
    expect(app.store.getState().alert).toBeUndefined()
  }
})

test('error: a server that registered another name, a refusal, and a label that no server accepts', async () => {
  answer = (_, response) => json(response, record(`other.${zone}`))
  const app = await open()
  await expect(registerName(app, { label: 'alder', zone })).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
  })
  await expect(registerName(app, { label: 'abc', zone })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  wallet.answers.personal_sign = () => {
    throw Object.assign(new Error('no'), { code: 4001 })
  }
  const asked = server.calls.length
  await expect(registerName(app, { label: 'alder', zone })).rejects.toMatchObject({
    code: 'USER_REJECTED',
  })
  expect(server.calls).toHaveLength(asked)
})

test('error: on a network whose number has no coin type, the user is not prompted to sign', async () => {
  const number = 2 ** 31
  const huge = { ...latchkeyOne, id: number, caipNetworkId: `eip155:${number}` } as const
  wallet.chainId = `0x${number.toString(16)}`
  const app = await open([huge])
  const wrong = { code: 'INVALID_CHAIN_ID', message: 'Invalid chainId' }
  await expect(registerName(app, { label: 'alder', zone })).rejects.toMatchObject(wrong)
  await expect(changeName(app, { name: `alder.${zone}`, release: true })).rejects.toMatchObject(
    wrong,
  )
  expect(wallet.calls.some(({ method }) => method === 'personal_sign')).toBe(false)
  expect(server.calls).toEqual([])
})

test('behavior: a released name is no longer shown', async () => {
  answer = (_, response) => json(response, { status: 'SUCCESS' })
  const app = await open()
  app.store.setState({ profiles: { [id]: { name: `alder.${zone}`, imageUrl: '/a' } } })
  await changeName(app, { name: `alder.${zone}`, release: true })
  expect(app.store.getState().profiles[id]).toEqual({ imageUrl: '/a' })
  expect(server.calls[0]?.url).toMatch('/v1/profile/account/alder.latchkey.id/release')
})

test('behavior: the name that the account chose is shown once the server returns it', async () => {
  const names = [`alder.${zone}`, 'alice.eth']
  answer = (path, response) => {
    if (path === '/v1/supported-chains')
      return json(response, {
        http: ['eip155:31337'],
        ws: [],
        features: { 'eip155:31337': { identity: { on: true, source: 'names' } } },
      })
    if (!path.startsWith('/v1/identity')) return json(response, record(`alder.${zone}`))
    json(response, { name: names.shift(), avatar: null, resolvedAt: null })
  }
  const app = await open()
  app.store.setState({ profiles: { [id]: { name: `elder.${zone}`, imageUrl: '/a' } } })
  await changeName(app, { name: `alder.${zone}`, primary: true })
  const call = server.calls.find(({ url }) => url.includes('/primary'))
  const { message } = (call?.body ?? {}) as { message: string }
  expect(JSON.parse(message)).toEqual({
    ...{ action: 'primary', name: `alder.${zone}` },
    timestamp: nowMs / 1000,
  })
  expect(app.store.getState().profiles[id]).toEqual({ name: `alder.${zone}` })
  // An ENS name stays in front.
  await changeName(app, { name: `alder.${zone}`, primary: true })
  expect(app.store.getState().profiles[id]).toEqual({ name: 'alice.eth' })
})

test('default: names of the account, and a transfer to another', async () => {
  answer = (path, response) =>
    json(response, path.includes('reverse') ? [record(`alder.${zone}`)] : record(`alder.${zone}`))
  const app = await open()
  expect(await getNames(app, { address: alice })).toEqual([
    {
      name: 'alder.latchkey.id',
      bio: 'Hi',
      addresses: [{ address: alice, coinTypes: [60, 2147515001] }],
    },
  ])
  await changeName(app, { name: `alder.${zone}`, to: bob.toLowerCase() })
  const { message } = (server.calls.at(-1)?.body ?? {}) as { message: string }
  // The server accepts addresses only with their checksum.
  expect(JSON.parse(message)).toMatchObject({ action: 'transfer', to: bob })
})

test('default: a name points to another address on one network', async () => {
  answer = (_, response) => json(response, {})
  const app = await open()
  const name = `alder.${zone}`
  await changeName(app, { name, chainId: 'eip155:31338', address: bob.toLowerCase() })
  const { url, body } = server.calls.at(-1) ?? {}
  expect(url).toMatch(`/v1/profile/account/${name}/address`)
  const { message, coin_type } = body as { message: string; coin_type: number }
  expect(JSON.parse(message)).toEqual({
    ...{ action: 'address', name, coin_type: 2 ** 31 + 31338, address: bob },
    timestamp: nowMs / 1000,
  })
  // The account signs on its own network.
  expect(coin_type).toBe(2 ** 31 + 31337)
  const elsewhere = changeName(app, { name, chainId: 'eip155:31338', address: '0x12' })
  await expect(elsewhere).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
})

test('behavior: suggestions of other places and with unseen characters are left out', async () => {
  let names = [
    'alder.latchkey.id',
    'alder-oak.latchkey.id',
    'alder.evil.id',
    'alder\u200b.latchkey.id',
  ]
  answer = (path, response) =>
    json(
      response,
      path.endsWith('/zones')
        ? { zones: [zone] }
        : { suggestions: names.map((name) => ({ name, registered: false })) },
    )
  const app = await open()
  const { names: shown } = await suggestNames(app, { label: 'alder' })
  expect(shown.map(({ name }) => name)).toEqual(['alder.latchkey.id', 'alder-oak.latchkey.id'])
  expect(await suggestNames(app, { label: '' })).toEqual({ zone, names: [] })
  // Shows the typed value first, or nothing.
  names = ['alter.latchkey.id']
  expect((await suggestNames(app, { label: 'alder' })).names).toEqual([])
})

test.each([
  ['Alder Oak!', 'alderoak'],
  ['аlder', 'lder'],
  ['a-1', 'a-1'],
])('param: %s is typed as %s', (typed, label) => {
  expect(cleanLabel(typed)).toBe(label)
})

test.each([
  ['abc', 'short'],
  ['-abcd', 'invalid'],
  ['abcd-', 'invalid'],
  ['xn--abc', 'invalid'],
  ['ABCD', 'invalid'],
  ['abcd', undefined],
])('param: the problem of %s: %s', (label, problem) => {
  expect(nameProblem(label)).toBe(problem)
})
