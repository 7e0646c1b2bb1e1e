import { type Chains, type DevChainId, startChains } from '@latchkey/dev'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { askIdentities } from '../../test/askIdentities.ts'
import { devNames } from '../../test/devNames.ts'
import { startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith } from '../../test/makeServices.ts'
import { startFailing } from '../../test/startFailing.ts'
import type { ChainConfig } from '../config/chainsFile.ts'

const one = 'eip155:31337'
const two = 'eip155:31338'
let chains: Chains

beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())

const accountAt = (index: number) => chains.accounts[index]?.address ?? '0x'
const names = (id: DevChainId = one) => devNames(chains, id)
const chain = (id: DevChainId, more: Partial<ChainConfig> = {}): ChainConfig => ({
  ...chainWith([chains.urls[id]]),
  ens: { registry: chains.addresses[id].ensRegistry },
  testnet: true,
  ...more,
})
const nothing = { name: null, avatar: null, resolvedAt: null }

test('default: an account that goes by a name, its avatar on our own server', async () => {
  const { pictures } = chains.addresses[one]
  const { ask, config } = askIdentities(
    { [one]: chain(one) },
    {
      clock: () => 1_700_000_000_000,
      nftPictures: new Map([[`${one}/${pictures.toLowerCase()}/1`, 'http://here/picture']]),
    },
  )
  const alice = {
    name: 'alice.latchkey.eth',
    avatar: 'http://here/picture',
    resolvedAt: '2023-11-14T22:13:20.000Z',
  }
  const cache = 'public, max-age=300, s-maxage=300'
  expect(await ask(accountAt(0))).toEqual({ status: 200, cache, body: alice })
  expect((await ask(accountAt(0).toLowerCase())).body).toEqual(alice)
  expect((await ask(`../account/${accountAt(0)}/identity`)).body).toEqual(alice)
  expect((await ask(accountAt(1))).body).toMatchObject({
    name: 'bob.latchkey.eth',
    avatar: expect.stringContaining(`${config.publicUrl}/v1/identity/${accountAt(1)}/avatar?v=`),
  })
})

test('error: a node that answers every call with an error is 503, and a second node is tried', async () => {
  const failing = await startFailing(chains.urls[one])
  onTestFinished(failing.stop)
  const { ask } = askIdentities({ [one]: chain(one, { upstreams: [failing.url] }) })
  expect((await ask(accountAt(0))).status).toBe(503)
  expect((await ask('name/bob.latchkey.eth')).status).toBe(503)
  failing.heal()
  expect((await ask(accountAt(0))).body).toMatchObject({ name: 'alice.latchkey.eth' })
  const broken = await startFailing(chains.urls[one])
  onTestFinished(broken.stop)
  const both = askIdentities({ [one]: chain(one, { upstreams: [broken.url, chains.urls[one]] }) })
  expect((await both.ask(accountAt(0))).body).toMatchObject({ name: 'alice.latchkey.eth' })
})

test('default: the account behind a name', async () => {
  const { ask } = askIdentities({ [one]: chain(one) })
  expect(await ask('name/bob.latchkey.eth')).toEqual({
    status: 200,
    cache: 'public, max-age=300, s-maxage=300',
    body: {
      name: 'bob.latchkey.eth',
      address: accountAt(1),
      avatar: expect.stringContaining(`/v1/identity/name/bob.latchkey.eth/avatar?v=`),
      resolvedAt: expect.stringMatching(/^20.*Z$/),
    },
  })
  // Input that a user types or pastes: ENSIP-15 removes invisible characters.
  expect(
    (await ask(`name/${encodeURIComponent('Carol\u00ad\u200b.LATCHKEY.eth')}`)).body,
  ).toMatchObject({
    name: 'carol.latchkey.eth',
    address: accountAt(2),
    avatar: null,
  })
})

test('behavior: null for accounts without a name, also if no chain has names', async () => {
  const { ask } = askIdentities({ [one]: chain(one) })
  // A name resolves to carol, but she has not set it as her primary name.
  expect(await ask(accountAt(2))).toMatchObject({ status: 200, body: nothing })
  expect((await ask(`0x${'0'.repeat(40)}`)).body).toEqual(nothing)
  for (const name of ['nobody.latchkey.eth', 'a.b.c.nowhere', 'latchkey.eth'])
    expect((await ask(`name/${name}`)).body).toEqual({ ...nothing, name, address: null })
  const none = askIdentities({ [one]: chainWith([chains.urls[one]]) })
  expect((await none.ask(accountAt(0))).body).toEqual(nothing)
})

test('behavior: accounts of other namespaces have no names', async () => {
  const { ask } = askIdentities({ [one]: chain(one) })
  const others = [
    '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  ]
  for (const other of others)
    expect(await ask(other)).toEqual({
      status: 200,
      cache: 'public, max-age=3600, s-maxage=3600',
      body: nothing,
    })
})

test('error: an invalid address', async () => {
  const { ask } = askIdentities({ [one]: chain(one) })
  for (const bad of [
    '0x123',
    `${accountAt(0)}0`,
    'alice.latchkey.eth',
    '0xzz',
    '%00',
    'l'.repeat(40),
  ])
    expect(await ask(bad)).toMatchObject({
      status: 400,
      body: { status: 'FAILED', reasons: [{ field: 'address' }] },
    })
})

test('error: useCache, which is for projects that test', async () => {
  const { get } = askIdentities({ [one]: chain(one) })
  const response = await get(`/v1/identity/${accountAt(0)}?useCache=false`)
  expect([response.status, (await response.json()).reasons[0].field]).toEqual([400, 'useCache'])
})

test('error: an invalid name', async () => {
  const { ask } = askIdentities({ [one]: chain(one) })
  const bad = [
    'alice',
    '.eth',
    'alice..eth',
    'al ice.eth',
    'alice\u200d.eth',
    'аlice.eth',
    'alice.eth\u0000',
    'alice_.eth\u202e',
    '[0000000000000000000000000000000000000000000000000000000000000000].eth',
    `${'a'.repeat(260)}.eth`,
    `${'a.'.repeat(40)}eth`,
    '0x../../admin',
  ]
  for (const name of bad)
    expect([name, await ask(`name/${encodeURIComponent(name)}`)]).toMatchObject([
      name,
      { status: 400, body: { reasons: [{ field: 'name' }] } },
    ])
})

test('param: chainId asks for the address of that network first', async () => {
  const { take, setAddress, setCoin } = names()
  await take('multi.latchkey.eth')
  await setAddress('multi.latchkey.eth', accountAt(3))
  await setCoin('multi.latchkey.eth', 0x80000000n | 31_338n, accountAt(4))
  // This network has no coin type: its lower bits would be another network's.
  const huge = 'eip155:2147514986'
  const { ask } = askIdentities({
    [one]: chain(one),
    [two]: chainWith([chains.urls[two]]),
    [huge]: chainWith([chains.urls[two]]),
  })
  const addressOn = async (query: string) =>
    (await ask(`name/multi.latchkey.eth${query}`)).body.address
  expect(await addressOn('')).toBe(accountAt(3))
  expect(await addressOn('?chainId=eip155:31337')).toBe(accountAt(3))
  expect(await addressOn('?chainId=eip155:31338')).toBe(accountAt(4))
  expect(await addressOn('?chainId=31338')).toBe(accountAt(4))
  expect(await ask('name/multi.latchkey.eth?chainId=eip155:5')).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'chainId' }] },
  })
  expect(await ask(`name/multi.latchkey.eth?chainId=${huge}`)).toMatchObject({
    status: 400,
    body: { reasons: [{ description: 'Invalid chainId' }] },
  })
})

test('behavior: an address of another length on a network is ignored', async () => {
  const { take, setAddress, setCoin } = names()
  await take('odd.latchkey.eth')
  await setAddress('odd.latchkey.eth', accountAt(3))
  await setCoin('odd.latchkey.eth', 0x80000000n | 31_337n, '0x1234')
  const { ask } = askIdentities({ [one]: chain(one) })
  expect((await ask(`name/odd.latchkey.eth?chainId=${one}`)).body.address).toBe(accountAt(3))
})

test('behavior: names of a test network do not count next to names of another network', async () => {
  const { take, setAddress, setReverse } = names(two)
  await take('mallory.latchkey.eth')
  await setAddress('mallory.latchkey.eth', accountAt(6))
  await setReverse(accountAt(6), 'mallory.latchkey.eth')
  const both = { [two]: chain(two), [one]: chain(one, { testnet: false }) }
  const { ask } = askIdentities(both)
  expect((await ask(accountAt(6))).body).toEqual(nothing)
  expect((await ask('name/mallory.latchkey.eth')).body.address).toBeNull()
  expect((await ask(`name/mallory.latchkey.eth?chainId=${one}`)).body.address).toBeNull()
  expect((await ask(`name/mallory.latchkey.eth?chainId=${two}`)).body.address).toBe(accountAt(6))
  const tests = askIdentities({ [one]: chain(one), [two]: chain(two) })
  expect((await tests.ask(accountAt(6))).body.name).toBe('mallory.latchkey.eth')
})

test('behavior: cached for five minutes, including a missing name, with its age', async () => {
  const now = { ms: Date.now() }
  const { ask } = askIdentities({ [one]: chain(one) }, { clock: () => now.ms })
  const { setReverse } = names()
  const first = await ask(accountAt(3))
  expect(first.body).toEqual(nothing)
  await setReverse(accountAt(3), 'dave.latchkey.eth')
  now.ms += 100_500
  expect(await ask(accountAt(3))).toMatchObject({
    cache: 'public, max-age=200, s-maxage=200',
    body: nothing,
  })
  now.ms += 199_600
  const later = await ask(accountAt(3))
  expect(later.body.name).toBe('dave.latchkey.eth')
  now.ms += 10_000
  expect((await ask(accountAt(3))).body).toEqual(later.body)
})

test('param: forceUpdate asks the chain if the cached answer is older than five seconds', async () => {
  const now = { ms: Date.now() }
  const { ask } = askIdentities({ [one]: chain(one) }, { clock: () => now.ms })
  const { setAddress } = names()
  const name = 'dave.latchkey.eth'
  const ofName = async (query = '') => {
    const { cache, body } = await ask(`name/${name}${query}`)
    return [body.address, cache]
  }
  const forced = 'public, max-age=0, s-maxage=0'
  await setAddress(name, accountAt(3))
  await ofName()
  await setAddress(name, accountAt(4))
  try {
    now.ms += 5_000
    expect(await ofName('?forceUpdate=true')).toEqual([accountAt(3), forced])
    now.ms += 1
    expect((await ofName())[0]).toBe(accountAt(3))
    expect(await ofName('?forceUpdate=true')).toEqual([accountAt(4), forced])
    // A later client that does not force a reload also gets the new name.
    expect((await ofName())[0]).toBe(accountAt(4))
  } finally {
    await setAddress(name, accountAt(3))
  }
})

test('behavior: a clock that went back makes nothing last longer', async () => {
  const now = { ms: Date.now() }
  const { ask } = askIdentities({ [one]: chain(one) }, { clock: () => now.ms })
  await ask(accountAt(1))
  now.ms -= 365 * 24 * 3_600_000
  expect((await ask(accountAt(1))).cache).toBe('public, max-age=300, s-maxage=300')
})

test('behavior: simultaneous requests share one read of the chain', async () => {
  const requests = { count: 0 }
  const proxy = await startUpstream(async (response, calls) => {
    requests.count += 1
    const answer = await fetch(chains.urls[one], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    })
    response.end(await answer.text())
  })
  const { ask } = askIdentities({ [one]: { ...chain(one), upstreams: [proxy.url] } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(accountAt(1))))
  expect(new Set(answers.map(({ body }) => body.name))).toEqual(new Set(['bob.latchkey.eth']))
  // The chain id, then resolver and record of the account, then of the name.
  expect(requests.count).toBe(5)
  await proxy.stop()
})

test('error: an unavailable chain is reported, and not cached', async () => {
  const state = { isAway: true }
  const proxy = await startUpstream(async (response, calls) => {
    if (state.isAway) return response.destroy()
    const answer = await fetch(chains.urls[one], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    })
    response.end(await answer.text())
  })
  const { ask } = askIdentities({ [one]: { ...chain(one), upstreams: [proxy.url] } })
  expect(await ask(accountAt(0))).toMatchObject({
    status: 503,
    cache: null,
    body: { reasons: [{ description: 'The identity provider is temporarily unavailable' }] },
  })
  expect((await ask('name/alice.latchkey.eth')).status).toBe(503)
  state.isAway = false
  expect((await ask(accountAt(0))).body.name).toBe('alice.latchkey.eth')
  await proxy.stop()
})

test('behavior: a node that does not find its newest block yet gets the request once more', async () => {
  const state = { isBehind: true }
  const proxy = await startUpstream(async (response, calls) => {
    if (state.isBehind && calls.some(({ method }) => method === 'eth_call')) {
      state.isBehind = false
      const error = { code: -32000, message: 'header not found' }
      const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
      return response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
    }
    const answer = await fetch(chains.urls[one], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    })
    response.end(await answer.text())
  })
  onTestFinished(proxy.stop)
  const { ask } = askIdentities({ [one]: { ...chain(one), upstreams: [proxy.url] } })
  expect((await ask(accountAt(0))).body.name).toBe('alice.latchkey.eth')
  expect(state.isBehind).toBe(false)
})
