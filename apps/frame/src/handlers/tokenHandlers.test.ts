import { type LatchkeyError, type ListedAsset, readAssetsRoute } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createThrottle } from '../host/createThrottle.ts'
import { createCallsAccess } from '../requests/calls/callsAccess.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { tokenHandlers } from './tokenHandlers.ts'

const account = `0x${'aa'.repeat(20)}`
const site = 'https://app.example'
const other = 'https://other.example'
const chain = { id: 'eip155:1', namespace: 'eip155', reference: '1' } as never
const context = { signal: new AbortController().signal } as never
const tokenOf = (digit: string) => `0x${digit.repeat(40)}`
const facts = { name: 'Plain', symbol: 'PLN', decimals: 6, balance: '0x5', iconUrl: '' }

/** One browser, with what our server answers; `isShared`: the page may see the account. */
function open({ isShared = true, answer = {} as object } = {}) {
  const store = createMemoryStore()
  const asked: unknown[] = []
  const call = async (route: unknown, body: unknown) => {
    asked.push(route === readAssetsRoute && body)
    return { assets: [], ...answer }
  }
  const listOf = (origin: string) => createCallsAccess(store, { origin, account }).watched
  const pageOf = (origin: string) => {
    const handlers = tokenHandlers(
      { session: { call } as never, store },
      {
        getSharedAddresses: async () => (isShared ? { eip155: account, solana: '' } : undefined),
        getChain: () => chain,
      },
      { origin, admit: createThrottle(() => 0) },
    )
    return {
      read: async () =>
        (await handlers.APP_GET_TOKENS({ chainId: 1 }, context)).tokens as readonly object[],
      remove: async (address: string) =>
        handlers.APP_REMOVE_TOKEN({ chainId: 1, address }, context),
    }
  }
  return { asked, listOf, pageOf }
}

test('security: a page lists and removes only the tokens that were added on it', async () => {
  const { listOf, pageOf, asked } = open()
  await listOf(site).add('eip155:1', tokenOf('1'))
  await listOf(other).add('eip155:1', tokenOf('2'))
  expect(await pageOf(site).read()).toEqual([{ address: tokenOf('1') }])
  expect(await pageOf(other).read()).toEqual([{ address: tokenOf('2') }])
  expect(await pageOf('https://third.example').read()).toEqual([])
  expect(asked).toEqual(
    ['1', '2'].map((digit) => ({
      chainId: 'eip155:1',
      address: account,
      tokens: [tokenOf(digit)],
    })),
  )
  await pageOf(other).remove(tokenOf('1'))
  expect(await pageOf(site).read()).toHaveLength(1)
})

test('default: lists tokens with their facts; marks copied names; unread tokens have only an address', async () => {
  const [plain, copy, bait, unread] = ['1', '2', '3', '4'].map(tokenOf) as [
    string,
    string,
    string,
    string,
  ]
  const listed = { ...facts, address: plain, price: 2 } satisfies ListedAsset
  const { listOf, pageOf } = open({
    answer: {
      assets: [{ ...facts, address: null }, listed],
      suspects: [
        { ...facts, address: copy.toUpperCase().replace('0X', '0x'), symbol: 'USDC', mark: 'copy' },
        { ...facts, address: bait, name: 'Visit evil.example', mark: 'bait' },
      ],
    },
  })
  for (const token of [plain, copy, bait, unread]) await listOf(site).add('eip155:1', token)
  const page = pageOf(site)
  const { name: _n, symbol: _s, ...nameless } = facts
  expect(await page.read()).toEqual([
    { ...facts, address: plain },
    { ...facts, address: copy, symbol: 'USDC', mark: 'copy' },
    { ...nameless, address: bait, mark: 'bait' },
    { address: unread },
  ])
  await page.remove(copy.toUpperCase().replace('0X', '0x'))
  await page.remove(copy)
  expect(await listOf(site).read('eip155:1')).toEqual([plain, bait, unread])
})

test('error: a page without consent, and a page that sends too many requests', async () => {
  const hidden = open({ isShared: false }).pageOf(site)
  for (const ask of [hidden.read(), hidden.remove(tokenOf('1'))])
    await expect(ask).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const { listOf, pageOf } = open()
  await listOf(site).add('eip155:1', tokenOf('1'))
  const page = pageOf(site)
  for (let count = 0; count < 20; count += 1) await page.read()
  const refused = await page.read().catch((error: LatchkeyError) => error.code)
  expect(refused).toBe('RATE_LIMITED')
})
