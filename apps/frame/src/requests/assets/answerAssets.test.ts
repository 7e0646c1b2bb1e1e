import { getRpcCode, LatchkeyError, type ListedAsset } from '@latchkey/wire'
import { expect, test } from 'vitest'
import type { LoginSession } from '../../auth/loginSession.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { createCallsAccess } from '../calls/callsAccess.ts'
import { createSafeRequestHandler } from '../createSafeRequestHandler.ts'

const account = '0x00000000000000000000000000000000000000aA'
const token = `0x${'ab'.repeat(20)}`
const facts = { name: 'One', symbol: 'ETH', decimals: 18 }
const chainOf = (reference: string) =>
  ({ id: `eip155:${reference}`, namespace: 'eip155', reference, ...facts }) as const
const solana = { id: 'solana:x', namespace: 'solana', reference: 'x', ...facts } as const
const one = chainOf('31337')
const two = chainOf('31338')
const listed: ListedAsset[] = [
  { address: null, balance: '0x5', ...facts, price: 2_000, iconUrl: 'https://s.example/ETH' },
  { address: token, balance: '0xff', name: 'A\u202eB', symbol: 'TUSD', decimals: 6, iconUrl: '' },
]
const native = {
  address: 'native',
  balance: '0x5',
  type: 'native',
  metadata: { ...facts, price: 2_000, iconUrl: 'https://s.example/ETH' },
}
const erc20 = {
  address: token,
  balance: '0xff',
  type: 'erc20',
  metadata: { name: 'AB', symbol: 'TUSD', decimals: 6, iconUrl: '' },
}

/** The frame's answers to a page that may see the account, unless it may not. */
function open({
  isShared = true,
  answer = async (_chainId: string) => listed,
  store = createMemoryStore(),
  origin = '',
} = {}) {
  const asked: unknown[] = []
  const clock = { nowMs: 0 }
  const call = async (_route: unknown, body: { chainId: string }) => {
    asked.push(body)
    return { assets: await answer(body.chainId) }
  }
  const handle = createSafeRequestHandler({
    read: async () => {
      throw new Error('No node is asked')
    },
    account: async () => (isShared ? account : undefined),
    chains: [one, solana, two],
    access: (address) => createCallsAccess(store, { origin, account: address }),
    session: { call: call as LoginSession['call'] },
    now: () => clock.nowMs,
  })
  const ask = (question: unknown, method = 'wallet_getAssets') =>
    handle({ method, params: [question], chain: one }, new AbortController().signal)
  return { ask, asked, clock }
}

test('default: returns the assets from our server, on each EVM network of the frame', async () => {
  const { ask, asked } = open()
  expect(await ask({ account: account.toLowerCase() })).toEqual({
    '0x7a69': [native, erc20],
    '0x7a6a': [native, erc20],
  })
  expect(asked).toEqual([
    { chainId: one.id, address: account, tokens: [] },
    { chainId: two.id, address: account, tokens: [] },
  ])
})

test('default: the capabilities include assetDiscovery', async () => {
  const { ask } = open()
  expect(await ask(account, 'wallet_getCapabilities')).toMatchObject({
    '0x7a69': { assetDiscovery: { supported: true } },
    '0x7a6a': { assetDiscovery: { supported: true } },
  })
})

test('param: chainFilter, assetTypeFilter and assetFilter, which takes precedence', async () => {
  const { ask, asked } = open()
  expect(await ask({ account, chainFilter: ['0x7A69', '0x1'] })).toEqual({
    '0x7a69': [native, erc20],
  })
  expect(asked).toHaveLength(1)
  expect(await ask({ account, chainFilter: ['0x1'] })).toEqual({})
  expect(await ask({ account, chainFilter: ['0x7a69'], assetTypeFilter: ['ERC20'] })).toEqual({
    '0x7a69': [erc20],
  })
  const assetFilter = {
    '0x7a6a': [
      { address: token.toUpperCase().replace('0X', '0x'), type: 'erc20' },
      { address: `0x${'cd'.repeat(20)}`, type: 'erc20' },
    ],
  }
  const filters = { chainFilter: ['0x7a69'], assetTypeFilter: ['native'], assetFilter }
  expect(await ask({ account, ...filters })).toEqual({ '0x7a6a': [erc20] })
})

test('security: only the account that the page may see, and nothing if it may see none', async () => {
  const { ask, asked } = open()
  await expect(ask({ account: token })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const hidden = open({ isShared: false })
  await expect(hidden.ask({ account })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect([...asked, ...hidden.asked]).toEqual([])
})

test('security: question and answer are bounded', async () => {
  const many = Array.from({ length: 900 }, () => listed[1] as ListedAsset)
  const manyIds = Array.from({ length: 101 }, (_, at) => `0x${(at + 1).toString(16)}`)
  const hundreds = Array.from({ length: 501 }, () => native)
  const { ask, asked } = open({ answer: async () => many })
  for (const question of [
    undefined,
    { account: 'x'.repeat(67) },
    { account, chainFilter: Array.from({ length: 101 }, () => '0x1') },
    { account, chainFilter: ['1'] },
    { account, assetTypeFilter: ['x'.repeat(67)] },
    { account, assetFilter: { '0x1': Array.from({ length: 1_001 }, () => native) } },
    { account, assetFilter: Object.fromEntries(manyIds.map((id) => [id, []])) },
    { account, assetFilter: { '0x1': hundreds, '0x2': hundreds } },
  ])
    await expect(ask(question)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  expect(asked).toEqual([])
  const answer = (await ask({ account })) as Record<string, unknown[]>
  expect(Object.values(answer).flat()).toHaveLength(1_000)
})

test('security: a token added on one page is not queried for another page', async () => {
  const store = createMemoryStore()
  const origin = 'https://app.example'
  await createCallsAccess(store, { origin, account }).watched.add(one.id, token)
  const there = open({ store, origin })
  const elsewhere = open({ store, origin: 'https://other.example' })
  for (const { ask } of [there, elsewhere]) await ask({ account, chainFilter: ['0x7a69'] })
  expect(there.asked).toMatchObject([{ tokens: [token] }])
  expect(elsewhere.asked).toMatchObject([{ tokens: [] }])
})

test('security: a page may ask twenty times in a minute', async () => {
  const { ask, asked, clock } = open()
  const question = { account, chainFilter: ['0x7a69'] }
  for (let count = 0; count < 20; count += 1) await ask(question)
  const refused = await ask(question).catch((error: LatchkeyError<'RATE_LIMITED'>) => error)
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', data: { seconds: 60 } })
  expect(getRpcCode('RATE_LIMITED')).toBe(-32005)
  expect(asked).toHaveLength(20)
  clock.nowMs = 60_000
  await ask(question)
  expect(asked).toHaveLength(21)
})

test('error: an unreadable network is left out; its error is returned if no other network is read', async () => {
  const isDown = async (id: string) => {
    if (id === one.id) throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: id } })
    return listed
  }
  const { ask } = open({ answer: isDown })
  expect(await ask({ account })).toEqual({ '0x7a6a': [native, erc20] })
  await expect(ask({ account, chainFilter: ['0x7a69'] })).rejects.toMatchObject({
    code: 'RPC_UNAVAILABLE',
  })
})
