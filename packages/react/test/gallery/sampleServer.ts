import { latchkeyOne, latchkeyTwo } from '@latchkey/core/internal'
import { type HistoryTransaction, providerNames, type SessionEntry } from '@latchkey/wire'
import { alice, bob, nodeAnswer } from '../testApp.ts'
import type { Filling } from './fillings.ts'
import { answerTrades } from './sampleTrades.ts'

const chainId = latchkeyOne.caipNetworkId
const longAgo = '2024-03-05T10:00:00Z'
const farAhead = '2034-03-05T10:00:00Z'
/** The dollars of the account, which have a price. */
export const dollars = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** An NFT of the account, with the longest id that the modal shows as a number. */
export const sampleNft = {
  chainId,
  contract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  tokenId: '7'.repeat(60),
} as const

/** A name of the account. */
export const sampleName = 'a-rather-long-name.latchkey.id'

/** The sign-in of the account in this browser. */
export const sampleSignIn = {
  ...{ id: 'one', chainId, accountAddress: alice },
  ...{ origin: 'https://a-rather-long-host.example', createdAt: longAgo, expiresAt: farAhead },
}

/** The transaction in the account's activity: amounts that leave, arrive and stay. */
export const getSampleTransaction = (filling: Filling): HistoryTransaction => ({
  id: '1',
  metadata: {
    operationType: 'trade',
    hash: '0x1',
    minedAt: longAgo,
    sentFrom: bob,
    sentTo: bob,
    status: filling.hasProblems ? 'failed' : 'confirmed',
    nonce: 1,
    application: { name: filling.word, iconUrl: null },
    chain: chainId,
    block: 123_456_789,
    fee: { numeric: '0.000123456789012345', payer: bob },
  },
  transfers: (['in', 'out', 'self'] as const).map((direction) => ({
    fungible_info: { name: filling.word, symbol: `${filling.word}${direction}` },
    direction,
    quantity: { numeric: filling.quantity },
  })),
})

/** The answers of a server with all areas, and of a node, in the form of `testApp`. */
export const createSampleServer = (filling: Filling) => ({
  areas: () => ({ http: chains, ws: [], features }),
  history: (search: URLSearchParams) => ({
    data: search.has('onramp') ? [] : [getSampleTransaction(filling)],
    next: null,
    sync: { complete: true, progress: 1, since: '2024-01-01T00:00:00Z' },
  }),
  other: (url: URL, init?: RequestInit) =>
    answerTrades(filling, url, init) ?? answerLogin(url) ?? answerAccount(filling, url),
  rpc: (method: string, params: unknown) => {
    const isDecimals = method === 'eth_call' && JSON.stringify(params).includes('0x313ce567')
    return isDecimals ? `0x${'6'.padStart(64, '0')}` : nodeAnswer(method, params)
  },
})

const chains = [chainId, latchkeyTwo.caipNetworkId]
const on = { on: true, source: '' }
const areas = {
  ...{ balance: on, prices: on, activity: on, nfts: on, allowances: on, identity: on, names: on },
  ...{ swap: { ...on, kind: 'uniswap' }, onramp: on },
}
const features = Object.fromEntries(chains.map((chain) => [chain, areas]))

function answerLogin({ pathname }: URL) {
  switch (pathname) {
    case '/v1/siwx/nonce':
      return { nonce: 'a'.repeat(32), issuedAt: '2026-01-01T00:00:00Z', expiresAt: '' }
    case '/v1/siwx/session':
      return { session: sampleSignIn }
    case '/v1/siwx/sessions':
      return { sessions: [sampleSignIn, { ...sampleSignIn, id: 'two' }] }
    case '/v1/socials':
      return { socials: Object.keys(providerNames) }
    default:
      return undefined
  }
}

function answerAccount(filling: Filling, { pathname }: URL) {
  const { word, money, hasProblems } = filling
  const nft = getNft(filling)
  // A page of spam alone would load the next page.
  if (pathname.endsWith('/nfts')) {
    const shown = { ...nft, isSpam: false }
    return { data: [shown, { ...nft, tokenId: '8', isSpam: true }], next: 'more' }
  }
  if (pathname.startsWith('/v1/nft/'))
    return {
      ...{ ...nft, description: word, externalUrl: null },
      attributes: [{ name: word, value: word }],
    }
  if (pathname.endsWith('/allowances')) return { data: getAllowances(filling), next: 'more' }
  if (pathname.startsWith('/v1/sessions/')) return { pcis: [getSmartSession(word)] }
  if (pathname.endsWith('/value')) return { points: getPrices(Number(money)), since: null }
  if (pathname === '/v1/fungible/history') return { points: getPrices(Number(money)) }
  if (pathname.endsWith('/zones')) return { zones: ['a-rather-long-zone.example'] }
  if (pathname.startsWith('/v1/profile/reverse/')) return [getOwnName(word)]
  // With problems, the name belongs to another user by now, and the review reports it.
  if (pathname.startsWith('/v1/identity/name/')) {
    const address = hasProblems ? sampleNft.contract : bob
    return { name: 'bob.eth', address, avatar: null, resolvedAt: null }
  }
  if (pathname.startsWith('/v1/identity/')) return { name: word, avatar: null, resolvedAt: null }
  return undefined
}

const getNft = ({ word, count, hasProblems }: Filling) => ({
  address: `${chainId}:${sampleNft.contract}`,
  tokenId: sampleNft.tokenId,
  standard: 'erc1155',
  quantity: count,
  name: word,
  collection: { name: word, symbol: word },
  imageUrl: null,
  metadata: hasProblems ? 'failed' : 'ready',
  isSpam: hasProblems,
})

const getAllowances = ({ word, quantity }: Filling) =>
  (['erc20', 'permit2', 'erc721', 'operator'] as const).map((kind, index) => ({
    kind,
    // Of these tokens, only the account's dollars have a price.
    token: {
      address: `${chainId}:${kind === 'permit2' ? dollars : sampleNft.contract}`,
      ...{ name: word, symbol: word, iconUrl: null },
    },
    tokenId: sampleNft.tokenId,
    balance: `2${quantity.slice(1)}`,
    spender: bob,
    spenderName: index % 2 === 0 ? word : null,
    amount: quantity,
    isUnlimited: kind === 'permit2',
    changedAt: longAgo,
    expiresAt: farAhead,
    isSpam: kind === 'operator',
  }))

const getSmartSession = (word: string): SessionEntry => ({
  project: { id: 'local', name: word, url: null, iconUrl: null },
  pci: '00000000-0000-4000-8000-000000000001',
  origin: null,
  chainId,
  expiry: Date.parse(farAhead) / 1_000,
  createdAt: Date.parse(longAgo),
  permissions: [
    {
      type: 'erc20-recurring-allowance',
      data: {
        ...{ token: dollars, allowance: '0xbebc20' },
        ...{ start: Date.parse(longAgo) / 1_000, period: 7 * 86_400 },
      },
    },
  ],
  policies: [],
  context: null,
  revokedAt: null,
  uses: [{ index: 0, used: '2500000' }],
  delegate: bob,
})

const getOwnName = (word: string) => ({
  name: sampleName,
  registered_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  attributes: { bio: word },
  addresses: { 60: { address: sampleNft.contract, created_at: null, created: null } },
})

/** Prices of the last hours, the latest last. */
const getPrices = (latest: number) =>
  [0.9, 0.97, 0.94, 1].map((part, index, { length }) => ({
    atMs: Date.now() - (length - index) * 3_600_000,
    price: latest * part,
  }))
