import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { changeRoutes } from './changeRoutes.ts'
import { getNameAddress } from './nameStore.ts'
import { nameRoutes } from './routes.ts'

const key = (seed: string) =>
  privateKeyToAccount(`0x${createHash('sha256').update(seed).digest('hex')}`)
const alice = key('alice')
const bob = key('bob')
type Account = typeof alice

const local = 0x80000000 + 31337
let opened: Awaited<ReturnType<typeof openTestDatabase>>
let nowMs = Date.UTC(2026, 0, 1)
let app: Hono

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())
beforeEach(async () => {
  await opened.db.deleteFrom('names').execute()
  await opened.db.deleteFrom('name_messages').execute()
  app = open(['latchkey.id', 'reown.id'])
})

function open(nameZones: string[]) {
  const made = makeServices({ 'eip155:31337': chainWith(['http://127.0.0.1:9']) }, () => nowMs)
  const services = { ...made, config: { ...made.config, nameZones }, db: opened.db }
  return new Hono()
    .route('/', nameRoutes(services))
    .route('/', changeRoutes(services, createUpstreams(services)))
}

const now = () => Math.floor(nowMs / 1000)

async function ask(path: string, body?: object) {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await app.request(`/v1/profile/${path}`, init)
  return { status: response.status, body: await response.json() }
}

/** A request that `account` has signed. */
async function sign(account: Account, message: object, coinType = local) {
  const text = JSON.stringify(message)
  const signature = await account.signMessage({ message: text })
  return { message: text, signature, coin_type: coinType, address: account.address }
}

const register = async (account: Account, name: string, more: object = {}) =>
  ask('account', await sign(account, { name, attributes: {}, timestamp: now(), ...more }))

const change = async (account: Account, name: string, action: string, message: object) =>
  ask(
    `account/${name}/${action}`,
    await sign(account, { action, name, timestamp: now(), ...message }),
  )

const reason = (field: string, text = '') => ({
  status: 'FAILED',
  reasons: [{ field, description: expect.stringContaining(text) }],
})

test('default: registered, looked up, found by its address', async () => {
  const at = new Date(nowMs).toISOString()
  const entry = { address: alice.address, created_at: at, created: at }
  const record = {
    name: 'alice.latchkey.id',
    registered_at: at,
    updated_at: at,
    attributes: { bio: 'Hello' },
    addresses: { 60: entry, [local]: entry },
  }
  const attributes = { bio: 'Hello' }
  expect(await register(alice, 'alice.latchkey.id', { attributes })).toEqual({
    status: 200,
    body: { success: true, ...record },
  })
  expect((await ask('account/Alice.latchkey.id?apiVersion=2')).body).toEqual(record)
  for (const address of [alice.address, alice.address.toLowerCase()])
    expect((await ask(`reverse/${address}`)).body).toEqual([record])
  expect((await ask('zones')).body).toEqual({ zones: ['latchkey.id', 'reown.id'] })
})

test('param: apiVersion', async () => {
  expect(await ask('account/nobody.latchkey.id')).toEqual({ status: 404, body: reason('name') })
  expect(await ask('account/nobody.latchkey.id?apiVersion=2')).toEqual({ status: 200, body: [] })
  expect(await ask(`reverse/${bob.address}`)).toEqual({ status: 404, body: reason('address') })
  expect(await ask(`reverse/${bob.address}?apiVersion=2`)).toEqual({ status: 200, body: [] })
})

test('behavior: capitals in a message are signed as they are and registered in lower case', async () => {
  const { body } = await register(alice, 'Alice.Latchkey.id')
  expect(body).toMatchObject({ name: 'alice.latchkey.id' })
  expect((await register(bob, 'ALICE.latchkey.id')).body).toEqual(reason('name', 'taken'))
})

test.each([
  ['al.latchkey.id', 'characters'],
  [`${'a'.repeat(65)}.latchkey.id`, 'characters'],
  ['alice', 'not valid'],
  ['alice.id', 'not valid'],
  ['a.alice.latchkey.id', 'not valid'],
  ['ali_ce.latchkey.id', 'not valid'],
  ['аlice.latchkey.id', 'not valid'],
  ['alice\u200b.latchkey.id', 'not valid'],
  ['-alice.latchkey.id', 'not valid'],
  ['alice-.latchkey.id', 'not valid'],
  ['xn--alice.latchkey.id', 'not valid'],
  ['alice.example.id', 'end in'],
  ['latchkey.latchkey.id', 'taken'],
  ['latchkey-refunds.latchkey.id', 'taken'],
  ['support.latchkey.id', 'taken'],
  ['the-5upport-desk.latchkey.id', 'taken'],
  ['adm1n.latchkey.id', 'taken'],
])('error: %s: %s', async (name, text) => {
  expect(await register(alice, name)).toEqual({ status: 400, body: reason('name', text) })
})

test('error: a name that looks like a registered one', async () => {
  await register(alice, 'wilma.latchkey.id')
  for (const name of ['vvilma', 'wi1ma', 'wllma', 'wilrna'])
    expect((await register(bob, `${name}.latchkey.id`)).body).toEqual(reason('name', 'similar'))
  // The same label in another zone is another name.
  expect((await register(bob, 'wilma.reown.id')).status).toBe(200)
})

test('error: a name below a zone of other clients never resolves to the name with the same label here', async () => {
  await register(alice, 'wilma.latchkey.id')
  const text = 'Names here end in .latchkey.id or .reown.id'
  expect(await register(bob, 'wilma.wcn.id')).toEqual({ status: 400, body: reason('name', text) })
  expect(await ask('account/wilma.wcn.id?apiVersion=2')).toMatchObject({ status: 400 })
  expect(await ask('account/wilma.reown.id?apiVersion=2')).toEqual({ status: 200, body: [] })
})

test.each(['latchkey.id', 'reown.id', 'wcn.id'])(
  'param: NAME_ZONES: a name below %s is registered, found, suggested and given up',
  async (zone) => {
    app = open(['latchkey.id', 'reown.id', 'wcn.id'])
    const name = `wilma.${zone}`
    expect(await register(alice, name)).toMatchObject({ status: 200, body: { name } })
    expect((await ask(`account/${name}`)).body).toMatchObject({ name })
    expect((await ask(`reverse/${alice.address}`)).body).toMatchObject([{ name }])
    const { body } = await ask(`suggestions/wilma?zone=${zone}`)
    expect(body.suggestions[0]).toEqual({ name, registered: true })
    expect(body.suggestions[1].name.endsWith(`.${zone}`)).toBe(true)
    expect((await change(alice, name, 'release', {})).status).toBe(200)
  },
)

test('behavior: the order of checks, from the shape to the signature', async () => {
  await register(alice, 'alice.latchkey.id')
  const name = 'new-name.latchkey.id'
  const wrong = { signature: '0x12', address: 'nobody', coin_type: 1 }
  const send = (message: object | string, more: object = {}) =>
    ask('account', {
      message: typeof message === 'string' ? message : JSON.stringify(message),
      ...wrong,
      ...more,
    })
  expect(await send('{')).toEqual({ status: 422, body: reason('message') })
  expect(await send({ name: 1 })).toEqual({ status: 422, body: reason('message') })
  expect(await send({ name: '!', timestamp: 1 })).toEqual({ status: 400, body: reason('name') })
  expect((await send({ name, timestamp: 1 })).body).toEqual(reason('coin_type'))
  const taken = { name: 'alice.latchkey.id', timestamp: 1 }
  expect((await send(taken, { coin_type: 60 })).body).toEqual(reason('name', 'taken'))
  const old = { name, timestamp: 1, attributes: { x: '' } }
  expect((await send(old, { coin_type: 60 })).body).toEqual(reason('timestamp'))
  const odd = { ...old, timestamp: now() }
  expect((await send(odd, { coin_type: 60 })).body).toEqual(reason('attributes'))
  const fine = { name, timestamp: now() }
  expect(await send(fine, { coin_type: 60 })).toEqual({ status: 401, body: reason('signature') })
})

test.each([0, 1, 61, 0x80000000, 0x80000000 + 5, 2 ** 32 + 31337, -1, 1.5])(
  'error: the coin type %d',
  async (coinType) => {
    const message = { name: 'alice.latchkey.id', timestamp: now() }
    const { status } = await ask('account', await sign(alice, message, coinType))
    expect([400, 422]).toContain(status)
  },
)

test('param: timestamp: 10 seconds, or five minutes to read if the message names its action', async () => {
  const at = (seconds: number, more: object = {}) =>
    register(alice, 'alice.latchkey.id', { timestamp: now() + seconds, ...more })
  for (const seconds of [-12, 12, -3600])
    expect((await at(seconds)).body).toEqual(reason('timestamp'))
  const action = 'register'
  for (const seconds of [-302, 302])
    expect((await at(seconds, { action })).body).toEqual(reason('timestamp'))
  expect((await at(-299, { action })).status).toBe(200)
})

test.each([
  { color: 'red' },
  { bio: '' },
  { bio: 'x'.repeat(256) },
  { bio: '<b>' },
  { avatar: 'javascript:alert(1)' },
  { avatar: 'http://example.com/a.png' },
])('error: the attributes %o', async (attributes) => {
  const { body } = await register(alice, 'alice.latchkey.id', { attributes })
  expect(body).toEqual(reason('attributes'))
})

test('error: a message altered in any field, signed by another account, or without a checksum', async () => {
  const message = { name: 'alice.latchkey.id', attributes: {}, timestamp: now() }
  // For Ethereum, which has no node in this test: with a node, the contract would be called.
  const request = await sign(alice, message, 60)
  const altered = [
    { message: JSON.stringify({ ...message, name: 'alice2.latchkey.id' }) },
    { message: JSON.stringify({ ...message, attributes: { bio: 'x' } }) },
    { message: `${request.message} ` },
    { address: bob.address },
    { address: alice.address.toLowerCase() },
    { signature: (await sign(bob, message)).signature },
    { signature: '0x' },
  ]
  for (const change of altered)
    expect(await ask('account', { ...request, ...change })).toEqual({
      status: 401,
      body: reason('signature'),
    })
  expect((await ask('account', request)).status).toBe(200)
})

test('behavior: of two concurrent registrations of the same or similar names, one succeeds', async () => {
  const accounts = Array.from({ length: 12 }, (_, index) => key(`racer ${index}`))
  const looks = ['millie', 'mi11ie', 'rnillie']
  const answers = await Promise.all(
    accounts.map((account, index) => register(account, `${looks[index % 3]}.latchkey.id`)),
  )
  // The limit for changes of one client lets ten through.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
})

test('error: more than ten names of one account, and more than ten changes of one client', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 11; index += 1) {
    statuses.push((await register(alice, `name-${'abcdefghijk'[index]}.latchkey.id`)).status)
    nowMs += 1000
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  nowMs += 60_000
  expect(await register(alice, 'name-l.latchkey.id')).toEqual({
    status: 400,
    body: reason('address', 'ten names'),
  })
})

test('behavior: names that others give to an account do not count towards its ten, and come last', async () => {
  const given = Array.from({ length: 10 }, (_, index) => `given-${'abcdefghij'[index]}.latchkey.id`)
  for (const name of given) {
    await register(alice, name)
    nowMs += 60_000
    await change(alice, name, 'transfer', { to: bob.address })
    nowMs += 60_000
  }
  expect((await register(bob, 'own.latchkey.id')).status).toBe(200)
  const { body } = await ask(`reverse/${bob.address}?apiVersion=2&all=true`)
  const names = (body as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['own.latchkey.id', ...given.toReversed()])
  // Signing for a name makes it the account's own.
  for (const name of given.slice(0, 9)) {
    nowMs += 60_000
    await change(bob, name, 'attributes', { attributes: {} })
  }
  nowMs += 60_000
  expect((await register(bob, 'last.latchkey.id')).body).toEqual(reason('address', 'ten names'))
})

test('behavior: of more given names than an answer has, the latest are in it', async () => {
  const at = new Date(nowMs - 86_400_000)
  const row = (name: string) => ({
    ...{ name, zone: 'latchkey.id', skeleton: name, owner_chain: 'eip155:31337' },
    owner: Buffer.from(bob.address.slice(2), 'hex'),
    ...{ confirmed: false, attributes: '{}', registered_at: at, updated_at: at },
  })
  const junk = Array.from({ length: 100 }, (_, index) => row(`junk-${index}.latchkey.id`))
  await opened.db.insertInto('names').values(junk).execute()
  await register(alice, 'wanted.latchkey.id')
  await change(alice, 'wanted.latchkey.id', 'transfer', { to: bob.address })
  const { body } = await ask(`reverse/${bob.address}?apiVersion=2&all=true`)
  expect(body).toHaveLength(100)
  expect(body[0]).toMatchObject({ name: 'wanted.latchkey.id' })
})

test('error: an eleventh name by a transfer to oneself, or by signing for a name that was given', async () => {
  const own = Array.from({ length: 10 }, (_, index) => `own-${'abcdefghij'[index]}.latchkey.id`)
  for (const name of own) {
    await register(alice, name)
    nowMs += 60_000
  }
  expect(await change(alice, own[0] ?? '', 'transfer', { to: alice.address })).toEqual({
    status: 400,
    body: reason('to', 'already'),
  })
  for (const label of ['given', 'other']) {
    nowMs += 60_000
    await register(bob, `${label}.latchkey.id`)
    nowMs += 60_000
    await change(bob, `${label}.latchkey.id`, 'transfer', { to: alice.address })
  }
  for (const [action, message] of Object.entries({
    attributes: { attributes: {} },
    address: { coin_type: 60, address: alice.address },
    primary: {},
  })) {
    nowMs += 60_000
    expect(await change(alice, 'given.latchkey.id', action, message)).toEqual({
      status: 400,
      body: reason('address', 'ten names'),
    })
  }
  // An account that already had more than ten can still change them.
  await register(bob, 'eleventh.latchkey.id')
  const more = { owner: Buffer.from(alice.address.slice(2), 'hex') }
  const eleventh = opened.db.updateTable('names').where('name', '=', 'eleventh.latchkey.id')
  await eleventh.set(more).execute()
  nowMs += 60_000
  expect((await change(alice, 'eleventh.latchkey.id', 'primary', {})).status).toBe(200)
  nowMs += 60_000
  expect((await change(alice, 'eleventh.latchkey.id', 'release', {})).status).toBe(200)
  // A released name makes room for one other.
  nowMs += 60_000
  expect((await change(alice, own[0] ?? '', 'release', {})).status).toBe(200)
  nowMs += 60_000
  const answers = await Promise.all(
    ['given', 'other'].map((label) => change(alice, `${label}.latchkey.id`, 'primary', {})),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  // Other given names can be passed on or released.
  const left = answers[0]?.status === 200 ? 'other' : 'given'
  nowMs += 60_000
  expect((await change(alice, `${left}.latchkey.id`, 'release', {})).status).toBe(200)
})

test('default: attributes, an address, a transfer and a release', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  nowMs += 1000
  const attributes = { avatar: 'https://example.com/a.png' }
  expect((await change(alice, name, 'attributes', { attributes })).body).toEqual(attributes)
  const address = { coin_type: 60, address: bob.address }
  expect((await change(alice, name, 'address', address)).body).toMatchObject({
    60: { address: bob.address },
  })
  const { body } = await change(alice, name, 'transfer', { to: bob.address })
  expect(body).toMatchObject({ attributes: {}, addresses: { [local]: { address: bob.address } } })
  expect(Object.keys(body.addresses)).toEqual([String(local)])
  expect((await change(bob, name, 'release', {})).body).toEqual({ status: 'SUCCESS' })
  expect((await ask(`account/${name}`)).status).toBe(404)
})

test('behavior: an account goes by the name that it chose last, else by the oldest', async () => {
  const names = ['first', 'second', 'third'].map((label) => `${label}.latchkey.id`)
  for (const name of names) {
    await register(alice, name)
    nowMs += 60_000
  }
  const reverse = async (account: Account) => {
    const { body } = await ask(`reverse/${account.address}?apiVersion=2&all=true`)
    return (body as { name: string }[]).map(({ name }) => name)
  }
  const [first = '', second = '', third = ''] = names
  expect(await reverse(alice)).toEqual(names)
  const chosen = await change(alice, third, 'primary', {})
  expect(chosen).toMatchObject({
    status: 200,
    body: { name: third, registered_at: expect.any(String) },
  })
  expect(await reverse(alice)).toEqual([third, first, second])
  nowMs += 60_000
  await change(alice, second, 'primary', {})
  expect(await reverse(alice)).toEqual([second, third, first])
  // A new or former owner of a name does not show a name that another account chose.
  await register(bob, 'own.latchkey.id')
  nowMs += 60_000
  await change(alice, second, 'transfer', { to: bob.address })
  await change(bob, second, 'attributes', { attributes: {} })
  expect(await reverse(bob)).toEqual([second, 'own.latchkey.id'])
  await change(bob, 'own.latchkey.id', 'primary', {})
  expect(await reverse(bob)).toEqual(['own.latchkey.id', second])
  nowMs += 120_000
  await change(alice, third, 'release', {})
  await register(alice, third)
  expect(await reverse(alice)).toEqual([first, third])
})

test('behavior: on Ethereum, a new owner of a name has an address there and nowhere else', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  const message = { action: 'transfer', name, to: bob.address, timestamp: now() }
  const { body } = await ask(`account/${name}/transfer`, await sign(alice, message, 60))
  expect(Object.keys(body.addresses)).toEqual([String(0x80000001)])
  expect(getNameAddress(body)).toBe(bob.address.toLowerCase())
  expect(getNameAddress(body, 'eip155:31337')).toBe(undefined)
  expect(() => getNameAddress(body, 'eip155:2147483648')).toThrow('Invalid chainId')
})

test('behavior: an older message without action and name changes attributes and addresses', async () => {
  await register(alice, 'alice.latchkey.id')
  const attributes = { bio: 'Hi' }
  const first = await sign(alice, { attributes, timestamp: now() })
  expect((await ask('account/alice.latchkey.id/attributes', first)).body).toEqual(attributes)
  const address = { coin_type: local, address: bob.address, timestamp: now() }
  const second = await sign(alice, address)
  expect((await ask('account/alice.latchkey.id/address', second)).status).toBe(200)
})

test('error: a change by another, of a name that is not registered, or to no address', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  for (const [action, message] of Object.entries({
    attributes: { attributes: {} },
    address: { coin_type: 60, address: bob.address },
    transfer: { to: bob.address },
    primary: {},
    release: {},
  })) {
    expect(await change(bob, name, action, message)).toEqual({
      status: 401,
      body: reason('address'),
    })
    expect((await change(bob, 'other.latchkey.id', action, message)).status).toBe(400)
    nowMs += 120_000
  }
  const lower = bob.address.toLowerCase()
  expect((await change(alice, name, 'transfer', { to: lower })).body).toEqual(reason('to'))
  const address = { coin_type: 60, address: lower }
  expect((await change(alice, name, 'address', address)).body).toEqual(reason('address'))
  const foreign = { coin_type: 501, address: bob.address }
  expect((await change(alice, name, 'address', foreign)).body).toEqual(reason('coin_type'))
})

test('error: a message replayed, sent to another name, or to another action', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  await register(alice, 'second.latchkey.id')
  const legacy = await sign(alice, { attributes: { bio: 'x' }, timestamp: now() })
  expect((await ask(`account/${name}/attributes`, legacy)).status).toBe(200)
  for (const target of [name, 'second.latchkey.id'])
    expect((await ask(`account/${target}/attributes`, legacy)).body).toEqual(
      reason('timestamp', 'used before'),
    )
  const bound = await sign(alice, { action: 'release', name, timestamp: now() })
  expect((await ask('account/second.latchkey.id/release', bound)).body).toEqual(reason('name'))
  for (const action of ['attributes', 'address', 'transfer', 'primary'])
    expect((await ask(`account/${name}/${action}`, bound)).status).toBe(422)
})

test.each<[string, object]>([
  ['that names its action', { action: 'register' }],
  ['of an older client', {}],
])('error: a registration %s sent again after a release', async (_, more) => {
  const name = 'alice.latchkey.id'
  const first = await sign(alice, { name, attributes: {}, timestamp: now(), ...more })
  expect((await ask('account', first)).status).toBe(200)
  expect((await change(alice, name, 'release', {})).status).toBe(200)
  const used = { status: 400, body: reason('timestamp', 'used before') }
  expect(await ask('account', first)).toEqual(used)
  // Nor in another encoding, or for another network.
  const signature = first.signature.toUpperCase().replace('0X', '0x')
  expect(await ask('account', { ...first, signature })).toEqual(used)
  expect(await ask('account', { ...first, coin_type: 60 })).toEqual(used)
  expect((await ask(`account/${name}?apiVersion=2`)).body).toEqual([])
})

test('error: a transfer sent again after the name came back', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  const first = await sign(alice, {
    ...{ action: 'transfer', name, to: bob.address },
    timestamp: now(),
  })
  expect((await ask(`account/${name}/transfer`, first)).status).toBe(200)
  expect((await change(bob, name, 'transfer', { to: alice.address })).status).toBe(200)
  expect(await ask(`account/${name}/transfer`, first)).toEqual({
    status: 400,
    body: reason('timestamp', 'used before'),
  })
  expect((await ask(`reverse/${alice.address}?apiVersion=2&all=true`)).body).toMatchObject([
    { name },
  ])
})

test('behavior: after a release, only the last owner has the name again for 90 days', async () => {
  const name = 'alice.latchkey.id'
  await register(alice, name)
  await change(alice, name, 'release', {})
  expect((await register(bob, name)).body).toEqual(reason('name', 'taken'))
  nowMs += 60_000
  expect((await register(alice, name)).status).toBe(200)
  await change(alice, name, 'release', {})
  nowMs += 91 * 86_400_000
  expect((await register(bob, name)).status).toBe(200)
})

test('behavior: a name that was given away is not shown as the name of its receiver', async () => {
  const name = 'silly-name.latchkey.id'
  await register(alice, name)
  await change(alice, name, 'transfer', { to: bob.address })
  const reverse = (query: string) => ask(`reverse/${bob.address}?apiVersion=2${query}`)
  expect((await reverse('')).body).toEqual([])
  expect((await reverse('&all=true')).body).toMatchObject([{ name }])
  await change(bob, name, 'attributes', { attributes: { bio: 'Mine' } })
  expect((await reverse('')).body).toMatchObject([{ name }])
})

test('default: suggestions: the name itself, then free ones', async () => {
  await register(alice, 'ability.latchkey.id')
  const { body } = await ask('suggestions/abi')
  expect(body.suggestions[0]).toEqual({ name: 'abi.latchkey.id', registered: false })
  expect(body.suggestions).toHaveLength(5)
  const labels = body.suggestions.map(({ name }: { name: string }) => name)
  expect(labels).not.toContain('ability.latchkey.id')
  expect(new Set(labels).size).toBe(5)
  const own = await ask('suggestions/Ability.latchkey.id?zone=reown.id')
  expect(own.body.suggestions[0]).toEqual({ name: 'ability.reown.id', registered: false })
  // The request of older clients.
  const foreign = await ask('suggestions/ability?zone=wcn.id')
  expect(foreign.body.suggestions[0]).toEqual({ name: 'ability.latchkey.id', registered: true })
  const taken = await ask('suggestions/ability')
  expect(taken.body.suggestions[0]).toEqual({ name: 'ability.latchkey.id', registered: true })
  expect((await ask('suggestions/support')).body.suggestions[0].registered).toBe(true)
})

test.each(['ab', 'a_b_c', '%C3%BCmlaut', 'x'.repeat(65)])(
  'error: suggestions for %s',
  async (text) => {
    expect(await ask(`suggestions/${text}`)).toEqual({ status: 400, body: reason('name') })
  },
)

test('behavior: suggestions for long names differ too', async () => {
  for (const typed of ['a-rather-long-name-0123', 'x'.repeat(50), 'z9'.repeat(25)]) {
    const { body } = await ask(`suggestions/${typed}`)
    expect(new Set(body.suggestions.map(({ name }: { name: string }) => name)).size).toBe(5)
  }
})

test('behavior: each suggestion can be registered', async () => {
  const { body } = await ask('suggestions/carol')
  for (const { name, registered } of body.suggestions as { name: string; registered: boolean }[]) {
    expect(registered).toBe(false)
    expect((await register(bob, name)).status).toBe(200)
  }
})
