import {
  connect,
  latchkeyOne,
  latchkeyTwo,
  openModal,
  setBuyDraft,
  setSendDraft,
  solana,
  type View,
} from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, type Messages, NetworkButton } from '../src/index.ts'
import '../src/theme.css'
import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import { createFakePairing } from './fakes/fakePairing.ts'
import { announce, bob, createFakeWallet, testApp } from './testApp.ts'

const german = 'Donaudampfschifffahrtsgesellschaft'
const arabic = 'المحفظة الرقمية للعملات'

const catalogues = import.meta.glob<Record<string, Record<string, string | { other: string }>>>(
  '../src/locales/*.ts',
  { eager: true },
)

/** Every text with words of another language behind it: longer than any translation will be. */
const lengthened = (words: string): Messages =>
  Object.fromEntries(
    Object.values(catalogues)
      .flatMap((module) => Object.values(module))
      .flatMap((catalogue) => Object.entries(catalogue))
      .map(([key, text]) => [
        key,
        typeof text === 'string' ? `${text} ${words}` : { other: `${text.other} ${words}` },
      ]),
  )

/** Directory id of a wallet that can be reached by every way. */
const cedar = '2'.padStart(64, '0')

const nft = {
  chainId: 'eip155:31337',
  contract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  tokenId: '7'.repeat(60),
} as const
const word = 'Ein_sehr_langes_Wort_ohne_jede_Luecke'
const dollars = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const owned = {
  address: `${nft.chainId}:${nft.contract}`,
  tokenId: nft.tokenId,
  standard: 'erc1155',
  quantity: '123456789',
  name: word,
  collection: { name: word, symbol: word },
  imageUrl: null,
  metadata: 'failed',
  isSpam: true,
}
const detail = {
  ...owned,
  description: word,
  externalUrl: null,
  attributes: [{ name: word, value: word }],
}
const moved: HistoryTransaction = {
  id: '1',
  metadata: {
    operationType: 'trade',
    hash: '0x1',
    minedAt: '2024-03-05T10:00:00Z',
    sentFrom: bob,
    sentTo: bob,
    status: 'failed',
    nonce: 1,
    application: { name: word, iconUrl: null },
    chain: nft.chainId,
    block: 123_456_789,
    fee: { numeric: '0.000123456789012345', payer: bob },
  },
  transfers: (['in', 'out', 'self'] as const).map((direction) => ({
    fungible_info: { name: word, symbol: `${word}${direction}` },
    direction,
    quantity: { numeric: '123456789012345.678' },
  })),
}
const allowed = (['erc20', 'permit2', 'erc721', 'operator'] as const).map((kind, index) => ({
  kind,
  // Of these tokens, only the account's dollars have a price.
  token: {
    address: kind === 'permit2' ? `${nft.chainId}:${dollars}` : owned.address,
    ...{ name: word, symbol: word, iconUrl: null },
  },
  tokenId: '7'.repeat(60),
  balance: '223456789012345.678',
  spender: bob,
  spenderName: index % 2 === 0 ? word : null,
  amount: '123456789012345.678',
  isUnlimited: kind === 'permit2',
  changedAt: '2024-03-05T10:00:00Z',
  expiresAt: '2034-03-05T10:00:00Z',
  isSpam: kind === 'operator',
}))
const ownName = {
  name: 'a-rather-long-name.latchkey.id',
  registered_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  attributes: { bio: word },
  addresses: { 60: { address: nft.contract, created_at: null, created: null } },
}
const limits = ['card', 'ach_bank_account'].map((id) => ({ id, min: '10.00', max: '25000.00' }))
const sold = { name: nft.chainId, display_name: word, chain_id: '31337', contract_address: '' }
const options = {
  purchaseCurrencies: [
    { id: '1', name: word, symbol: word, networks: [{ ...sold, chainId: nft.chainId }] },
  ],
  paymentCurrencies: [{ id: 'USD', payment_method_limits: limits }],
  providers: [
    {
      ...{ id: 'shop', name: word, feePercent: { min: 1, max: 2 }, currencies: ['USD'] },
      ...{ assets: [`${nft.chainId}/native`], methods: ['card', 'ach_bank_account'] },
    },
  ],
}
const price = { amount: '123456789.12', currency: 'USD' }
const quote = {
  ...{ coinbaseFee: price, networkFee: price, paymentSubtotal: price },
  paymentTotal: { ...price, amount: '100' },
  ...{ purchaseAmount: { amount: '123456789.123456', currency: word }, quoteId: 'q' },
  isEstimate: true,
}
const order = {
  ...{ id: 'a'.repeat(24), status: 'declined', reason: 'authentication', provider: 'shop' },
  ...{ providerName: word, chainId: nft.chainId, symbol: word, paymentAmount: '100' },
  ...{ paymentCurrency: 'USD', receivedAmount: null, transactionHash: null },
  createdAt: '2026-01-01T00:00:00.000Z',
}

const other = ({ pathname }: URL) => {
  if (pathname === '/v1/siwx/nonce')
    return { nonce: 'a'.repeat(32), issuedAt: '2026-01-01T00:00:00Z', expiresAt: '' }
  if (pathname === '/v1/onramp/options') return options
  if (pathname === '/v1/onramp/quote') return quote
  if (pathname.startsWith('/v1/onramp/orders/')) return order
  if (pathname.endsWith('/nfts')) return { data: [owned], next: 'more' }
  if (pathname.startsWith('/v1/nft/')) return detail
  if (pathname.endsWith('/allowances')) return { data: allowed, next: 'more' }
  if (pathname.endsWith('/zones')) return { zones: ['a-rather-long-zone.example'] }
  if (pathname.startsWith('/v1/profile/reverse/')) return [ownName]
  // The name belongs to another user by now, and the review reports it.
  if (pathname.startsWith('/v1/identity/name/'))
    return { name: 'bob.eth', address: nft.contract, avatar: null, resolvedAt: null }
  if (pathname.startsWith('/v1/identity/')) return { name: word, avatar: null, resolvedAt: null }
  return undefined
}
const history = () => ({
  data: [moved],
  next: null,
  sync: { complete: true, progress: 1, since: '2024-01-01T00:00:00Z' },
})

const views: View[] = [
  { name: 'Connect' },
  { name: 'AllWallets' },
  { name: 'Account' },
  { name: 'Account', tab: 'nfts' },
  { name: 'Account', tab: 'activity' },
  { name: 'NftDetail', nft },
  { name: 'TokenDetail', token: { chainId: nft.chainId } },
  { name: 'SendNft', nft },
  { name: 'SendNftPreview', nft, amount: '2', receiver: { address: bob, name: 'bob.eth' } },
  { name: 'ConnectNamespaces', connectorIds: ['test.fieldwork'] },
  { name: 'Transactions' },
  { name: 'ActivityDetail', transaction: moved },
  { name: 'Networks' },
  { name: 'UnsupportedChain' },
  { name: 'SIWXSignMessage', isRequired: true },
  { name: 'Send' },
  { name: 'SendSelectToken' },
  { name: 'SendPreview' },
  { name: 'Swap' },
  { name: 'SwapSelectToken', side: 'to' },
  { name: 'SwapPreview' },
  { name: 'SwapConfirmed', hash: `0x${'12'.repeat(32)}` },
  { name: 'Receive' },
  { name: 'Buy' },
  { name: 'OnRampProviders' },
  { name: 'OnRampTokenSelect' },
  { name: 'OnRampFiatSelect' },
  { name: 'BuyInProgress', orderId: 'a'.repeat(24) },
  { name: 'Names' },
  { name: 'Allowances' },
  { name: 'NameDetail', accountName: 'a-rather-long-name.latchkey.id' },
  { name: 'RegisterAccountName' },
  { name: 'WhatIsAWallet' },
  { name: 'WhatIsANetwork' },
  { name: 'GetAWallet' },
  { name: 'ConnectingWalletConnectBasic' },
  { name: 'ConnectingWalletConnect', walletId: cedar },
]

/** Opens collapsed parts, so that they are measured too. */
const unfold = () => {
  for (const section of document.querySelectorAll('details')) section.open = true
}

/** The elements that overflow the sheet; the inside of a drawing is cut at its own edge. */
const overflowing = () => {
  const dialog = document.querySelector('dialog') as HTMLElement
  const edge = dialog.getBoundingClientRect()
  return [...dialog.querySelectorAll('*')]
    .filter((node) => {
      if (node instanceof SVGElement && node.ownerSVGElement) return false
      const { left, right, width, height } = node.getBoundingClientRect()
      return width > 1 && height > 1 && (left < edge.left - 1 || right > edge.right + 1)
    })
    .map(
      (node) =>
        `${node.tagName} ${node.className} ${JSON.stringify(node.getBoundingClientRect())} ${node.textContent?.slice(0, 60)}`,
    )
}

/** Opens a view of a connected account, in the size and language of the document. */
async function show(view: View, messages?: Messages) {
  const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
  const pairing = createFakePairing({ firstUri: `wc:${'a'.repeat(64)}@2` })
  const networks = [latchkeyOne, latchkeyTwo, solana] as const
  const app = testApp({ networks }, { other, history }, { pairing })
  await connect(app, { connectorId: app.store.getState().connectors.at(-1)?.id ?? '' })
  setBuyDraft(app, { amount: '100' })
  setSendDraft(app, {
    amount: '1234.567890123456789',
    receiverAddress: bob,
    ...(view.name === 'SendPreview' && { receiverProfileName: 'bob.eth' }),
  })
  await render(
    <LatchkeyProvider app={app} {...(messages && { messages })}>
      <NetworkButton />
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app, { view })
  await expect.element(page.getByRole('dialog')).toBeVisible()
  return silence
}

describe.each([
  ['ltr', german],
  ['rtl', arabic],
])('%s', (direction, words) => {
  test.each(views)('behavior: $name holds long words on a phone', async (view) => {
    await page.viewport(390, 844)
    document.documentElement.dir = direction
    const silence = await show(view, lengthened(words))
    await expect
      .poll(() => {
        unfold()
        return page.getByRole('dialog').getByText(words).elements().at(-1)?.checkVisibility()
      })
      .toBe(true)
    await expect.poll(overflowing).toEqual([])
    silence()
  })
})

test.each(views)('behavior: $name breaks and cuts no number at 320 px', async (view) => {
  await page.viewport(320, 640)
  document.documentElement.dir = 'ltr'
  const silence = await show(view)
  // Data arrive in several steps, each of which may draw more numbers.
  await new Promise((resolve) => setTimeout(resolve, 500))
  unfold()
  expect(brokenNumbers('dialog[open]')).toEqual([])
  expect(overflowing()).toEqual([])
  silence()
})
