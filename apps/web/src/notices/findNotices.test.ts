import type { Allowance, HistoryTransaction, HistoryTransfer } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { findAllowanceNotice, findNotices } from './findNotices.ts'
import type { Prices } from './readPrices.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account = { namespace: 'eip155', address } as const
const sinceMs = Date.parse('2026-08-01T12:00:00Z')
const chain = 'eip155:31337'

const coin = (
  direction: HistoryTransfer['direction'],
  numeric: string,
  token: { symbol: string; isListed?: boolean; contract?: string } = { symbol: 'ETH' },
): HistoryTransfer => ({
  direction,
  quantity: { numeric },
  fungible_info: {
    name: token.symbol,
    symbol: token.symbol,
    ...(token.isListed && { is_listed: true }),
  },
  ...(token.contract && { address: `${chain}:${token.contract}` }),
})
const usdc = { symbol: 'USDC', isListed: true, contract: '0xaa' }

const transaction = (
  id: string,
  transfers: HistoryTransfer[],
  metadata: Partial<HistoryTransaction['metadata']> = {},
): HistoryTransaction => ({
  id,
  transfers,
  metadata: {
    ...{ operationType: 'execute', hash: id, minedAt: '2026-08-01T12:00:05Z', nonce: 0, chain },
    ...{ sentFrom: address.toLowerCase(), sentTo: other, status: 'confirmed' },
    ...metadata,
  },
})
const find = (
  transactions: HistoryTransaction[],
  seen: string[] = [],
  prices: Prices = new Map(),
) => findNotices(transactions, { account, sinceMs, seen, prices })
const titles = (transactions: HistoryTransaction[], seen?: string[]) =>
  find(transactions, seen).notices.map(({ title }) => title)

test.each<[string, HistoryTransfer[], Partial<HistoryTransaction['metadata']>]>([
  ['Received 0.5 ETH', [coin('in', '0.5')], { sentFrom: other }],
  ['Sent 10.000 USDC: confirmed', [coin('out', '10', usdc)], {}],
  ['Sent 10.000 USDC: failed', [coin('out', '10', usdc)], { status: 'failed' }],
  [
    'Swapped 1.500 ETH for 2,950.100 USDC: confirmed',
    [coin('out', '1.5'), coin('in', '2950.1', usdc)],
    {},
  ],
  ['Transaction confirmed', [], {}],
  ['Transaction failed', [], { status: 'failed' }],
  ['Received 2 assets', [coin('in', '1'), coin('in', '2', usdc)], { sentFrom: other }],
])('default: %s', (title, transfers, metadata) => {
  const { notices, ids } = find([transaction('a', transfers, metadata)])
  const written = title.replace('0.5 ETH', '0.500 ETH')
  const link = `/activity?chain=eip155%3A31337&address=${address}&transaction=a`
  expect(notices).toEqual([{ id: 'a', title: written, chainId: chain, link }])
  expect(ids).toEqual(['a'])
})

test('behavior: nothing that is older than the switch, pending, reported before, or only of others', () => {
  const received = [coin('in', '1')]
  const foreign = { sentFrom: other }
  expect(
    find(
      [
        transaction('old', received, { minedAt: '2026-08-01T11:59:59Z' }),
        transaction('pending', received, { status: 'pending' }),
        transaction('seen', received),
        transaction('foreign', [], foreign),
        transaction('foreignFailure', received, { ...foreign, status: 'failed' }),
      ],
      ['seen'],
    ),
  ).toEqual({ notices: [], ids: ['foreign', 'foreignFailure'] })
})

test('behavior: the oldest comes first, and more than three are one notice', () => {
  const some = ['c', 'b', 'a'].map((id) => transaction(id, [coin('in', '1')]))
  expect(find(some).notices.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  const all = find([transaction('d', [coin('in', '1')]), ...some])
  expect(all.notices).toMatchObject([{ id: 'd', title: '4 new transactions', chainId: null }])
  expect(all.notices[0]?.link).toMatch(/&newest=d$/)
  expect(all.ids).toEqual(['d', 'c', 'b', 'a'])
})

test('hostile token: a symbol that no list has, and the name of an NFT, are not repeated', () => {
  const trap = 'Claim at evil.example'
  const item: HistoryTransfer = {
    ...{ direction: 'in', quantity: { numeric: '1' }, address: `${chain}:0xcc`, tokenId: '1' },
    nft_info: { name: trap, flags: { is_spam: false } },
  }
  expect(
    titles([
      transaction('nft', [item]),
      transaction('token', [coin('in', '1000', { symbol: trap, contract: '0xbb' })]),
    ]),
  ).toEqual(['Received a token', 'Received an NFT'])
})

test('hostile sender: unlisted tokens, NFTs, nothing and dust of others are no news', () => {
  const foreign = { sentFrom: other }
  const free = { symbol: 'FREE', contract: '0xbb' }
  const item: HistoryTransfer = {
    ...{ direction: 'in', quantity: { numeric: '1' }, address: `${chain}:0xcc`, tokenId: '1' },
    nft_info: { name: 'Item', flags: { is_spam: false } },
  }
  const transactions = [
    transaction('unlisted', [coin('in', '1000', free), item], foreign),
    transaction('fakeSend', [coin('out', '1000', free)], foreign),
    transaction('zero', [coin('out', '0', usdc)], foreign),
    transaction('dust', [coin('in', '0.9', usdc)], foreign),
    transaction('unpriced', [coin('in', '0.001')], foreign),
    transaction('own', [coin('out', '0.9', usdc)]),
    transaction('mixed', [coin('in', '2', usdc), coin('in', '1000', free)], foreign),
  ]
  const { notices, ids } = find(transactions, [], new Map([[`${chain}:0xaa`, 1]]))
  expect(notices.map(({ id }) => id)).toEqual(['mixed', 'own', 'unpriced'])
  expect(ids).toHaveLength(transactions.length)
  expect(find(transactions.slice(3, 4)).notices).toHaveLength(1)
})

const allowance = (
  facts: Partial<Allowance> = {},
  symbol = 'USDC',
  isListed = true,
): Allowance => ({
  ...{ kind: 'erc20', tokenId: null, spender: other, spenderName: null, amount: null },
  ...{ isUnlimited: true, changedAt: '2026-08-12T10:00:00Z', expiresAt: null, isSpam: false },
  token: { address: `${chain}:0x${symbol}`, name: symbol, symbol, iconUrl: null, isListed },
  ...facts,
})

const findOld = (...allowances: Allowance[]) =>
  findAllowanceNotice(allowances.map((one) => ({ allowance: one, owner: address })))

test('default: an old allowance, with the apps that share its token and the earliest time', () => {
  const one = findOld(allowance())
  expect(one).toMatchObject({
    link: `/allowances?chain=eip155%3A31337&address=${address}`,
    ...{ chainId: chain, accountId: `${chain}:${address}` },
  })
  expect(one?.title).toMatch(/^1 app may take all your USDC since .*2026/)
  const earlier = allowance({ spender: address, changedAt: '2025-01-15T10:00:00Z' })
  const many = findOld(allowance(), allowance({}, 'DAI'), earlier)
  expect(many?.title).toMatch(/^2 apps may take all your USDC since .*2025/)
  expect(findOld()).toBeUndefined()
  const others = { allowance: earlier, owner: other }
  const first = findAllowanceNotice([{ allowance: allowance(), owner: address }, others])
  expect(first?.title).toBe(one?.title)
})

test('hostile token: an allowance does not repeat a name that no list has', () => {
  expect(findOld(allowance({}, 'Trap', false))?.title).toMatch(
    /^1 app may take all your tokens of one kind since/,
  )
  expect(findOld(allowance({ kind: 'operator' }, 'Trap'))?.title).toMatch(
    /^1 app may take all your NFTs of a collection since/,
  )
})
