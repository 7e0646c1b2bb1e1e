import {
  type App,
  connect,
  type HistoryPage,
  latchkeyOne,
  openModal,
  saveContact,
  type View,
} from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void
beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(() => silence())

type Row = HistoryPage['transactions'][number]
type History = (search: URLSearchParams) => unknown

const chainId = 'eip155:31337'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const row = (
  id: string,
  {
    metadata = {} as Partial<Row['metadata']>,
    direction = 'out' as 'in' | 'out',
    numeric = '1.5',
    symbol = 'ETH',
  } = {},
): Row => ({
  id: `${chainId}:0x${id}`,
  metadata: {
    ...{ operationType: 'send', hash: `0x${id}`, minedAt: new Date().toISOString() },
    ...{ sentFrom: alice, sentTo: bob, nonce: 1, chain: chainId },
    status: 'confirmed',
    ...metadata,
  },
  transfers: [{ fungible_info: { name: symbol, symbol }, direction, quantity: { numeric } }],
})

const received = (id: string, numeric: string): Row =>
  row(id, {
    direction: 'in',
    numeric,
    symbol: 'NUM',
    metadata: { operationType: 'receive', sentFrom: bob, sentTo: alice },
  })

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => received(`row${index}`, String(index + 1)))

/** A server that cuts its rows into pages of 50 by the id of the last row. */
const paged =
  (rows: readonly Row[]): History =>
  (search) => {
    const cursor = search.get('cursor')
    const from = cursor === null ? 0 : rows.findIndex(({ id }) => id === cursor) + 1
    const data = rows.slice(from, from + 50)
    return { data, next: from + 50 < rows.length ? data.at(-1)?.id : null }
  }

const blockExplorer = { name: 'Explorer', url: 'https://explorer.example' }

async function show(
  history: History,
  {
    view = { name: 'Transactions' } as View,
    names = {} as Readonly<Record<string, string>>,
    asked = [] as string[],
  } = {},
): Promise<App> {
  const other = ({ pathname }: URL) => {
    const [, address] = /^\/v1\/identity\/(0x\w+)$/.exec(pathname) ?? []
    if (address === undefined) return undefined
    asked.push(address)
    return { name: names[address] ?? null, avatar: null, resolvedAt: null }
  }
  const app = testApp({ networks: [{ ...latchkeyOne, blockExplorer }] }, { history, other })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view })
  return app
}

const dialog = () => page.getByRole('dialog')
const items = () => dialog().getByRole('listitem')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const count = () => document.querySelectorAll('dialog li').length
const fact = (name: string) =>
  [...document.querySelectorAll('dialog dl > div')].find(
    (each) => each.querySelector('dt')?.textContent === name,
  )?.lastElementChild?.textContent

/** Catches the files that the page offers, and their names. */
function catchDownloads() {
  const files: { name: string; content: Promise<string> }[] = []
  let latest = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    latest = blob as Blob
    return 'blob:caught'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    files.push({ name: this.download, content: latest.text() })
  })
  return files
}

test('default: a row opens its details: amounts, addresses, fee, block and explorer', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const fee = { numeric: '0.000021123456789012', payer: alice.toLowerCase() }
  const minedAt = '2024-03-05T10:00:00Z'
  const rows = [
    row('aa', { numeric: '1234.567890123456789', metadata: { minedAt, fee, block: 22_104_318 } }),
  ]
  await show(paged(rows), { names: { [bob]: 'bob.latchkey.eth' } })
  await expect.element(items().first()).toHaveTextContent('To bob.latchkey.eth')
  await items().first().getByRole('button').click()
  await expect
    .element(dialog().getByRole('heading', { name: 'Transaction', exact: true }))
    .toBeVisible()
  await expect.element(dialog().getByText('−1,234.567890123456789')).toBeVisible()
  await expect.element(dialog().getByText('To bob.latchkey.eth')).toBeVisible()
  expect(fact('Status')).toBe('ConfirmedBlock 22,104,318')
  expect(fact('When')).toBe(
    new Date(minedAt)
      .toLocaleString('en', { dateStyle: 'full', timeStyle: 'medium' })
      .replace(/ (?=[AP]M$)/, '\u00a0'),
  )
  expect(fact('From')).toBe(alice)
  expect(fact('To')).toBe(`bob.latchkey.eth${bob}`)
  expect(fact('Network')).toBe('Latchkey One')
  await expect.poll(() => fact('Network fee')).toBe('0.000021 ETH≈ $0.04224 nowPaid by you')
  await expect.element(dialog().getByTitle('0.000021123456789012 ETH')).toBeVisible()
  await expect
    .element(dialog().getByRole('link', { name: 'View in explorer' }))
    .toHaveAttribute('href', 'https://explorer.example/tx/0xaa')
  expect(await violations()).toEqual([])
  await button('Copy the receiver’s address').click()
  await button(/^Copy Transaction ID/).click()
  expect(write.mock.calls).toEqual([[bob], ['0xaa']])
  await button('Back').click()
  await expect.poll(count).toBe(1)
})

test('behavior: a failed transaction moved nothing, and a pending transaction has no time', async () => {
  const failed = row('aa', { metadata: { status: 'failed' } })
  const app = await show(paged([failed]), {
    view: { name: 'ActivityDetail', transaction: failed },
  })
  await expect.element(dialog().getByText('Nothing was moved.')).toBeVisible()
  expect(await violations()).toEqual([])
  const pending = row('bb', { metadata: { status: 'pending' } })
  openModal(app, { view: { name: 'ActivityDetail', transaction: pending } })
  await expect.element(dialog().getByText('It is waiting for a block.')).toBeVisible()
  expect(fact('When')).toBeUndefined()
})

test('behavior: a contract without a name is called so, and an account is not', async () => {
  const trade = row('aa', { metadata: { operationType: 'trade' } })
  const app = await show(paged([trade]), { view: { name: 'ActivityDetail', transaction: trade } })
  await expect.poll(() => fact('To')).toBe(`${bob}A contract. No name is known for it.`)
  openModal(app, { view: { name: 'ActivityDetail', transaction: row('bb') } })
  await expect.poll(() => fact('To')).toBe(bob)
})

test('default: an approval says what it allows whom, and a revocation of what', async () => {
  const token = { address: `${chainId}:${bob}`, name: 'USD Coin', symbol: 'USDC' }
  const approval = {
    ...{ kind: 'erc20' as const, token, tokenId: null, spender: carol },
    ...{ amount: '1500.5', isUnlimited: false },
  }
  const approve = (id: string, changes: object, operationType = 'approve'): Row => ({
    ...row(id, { metadata: { operationType, approval: { ...approval, ...changes } } }),
    transfers: [],
  })
  await show(
    paged([
      approve('aa', {}),
      approve('bb', { isUnlimited: true }),
      approve('cc', { amount: '0' }, 'revoke'),
      approve('dd', { kind: 'operator', amount: null }),
      approve('ee', { kind: 'erc721', amount: null, tokenId: '7' }),
      approve('ff', { amount: null }),
    ]),
  )
  await expect.poll(count).toBe(6)
  const texts = [...document.querySelectorAll('dialog li')].map((item) =>
    item.textContent?.replace(' for 0x3C…4293BCJust now', ''),
  )
  expect(texts).toEqual([
    'Approved1,500.5 USDC',
    'ApprovedUnlimited USDC',
    'RevokedUSDC',
    'ApprovedAll USDC',
    'ApprovedUSDC #7',
    'ApprovedUSDC',
  ])
  await items().nth(2).getByRole('button').click()
  await expect.element(dialog().getByRole('heading', { name: 'Revoked' })).toBeVisible()
  expect(fact('For')).toBe(carol)
  expect(fact('To')).toBe(`${bob}A contract. No name is known for it.`)
  expect(await violations()).toEqual([])
})

test('behavior: what a sponsor paid for has no fee of the account', async () => {
  const sponsored = row('aa', { metadata: { sponsored: true } })
  await show(paged([sponsored]), { view: { name: 'ActivityDetail', transaction: sponsored } })
  await expect.poll(() => fact('Network fee')).toBe('Paid for you')
})

test.each([
  ['1', '1,000 USDC', '“1,000 USDC”'],
  ['5', 'Orbit #7', '“Orbit #7”'],
  ['1', null, 'NFT'],
])('security: %s of the NFT %j is no amount of money', async (numeric, name, shown) => {
  const nft_info = { name, flags: { is_spam: false } }
  const item = { direction: 'in' as const, quantity: { numeric }, tokenId: '7', nft_info }
  await show(paged([{ ...received('aa', '1'), transfers: [item] }]))
  await expect.element(items().first()).toHaveTextContent(`+${numeric} × ${shown}`)
  await expect.element(items().getByTitle(`+${numeric} × ${shown}`)).toBeVisible()
  await items().first().getByRole('button').click()
  await expect.element(dialog().getByText(`+${numeric} × ${shown}`)).toBeVisible()
})

test('behavior: a note is saved while it is typed, shown in the row, and found', async () => {
  const app = await show(paged(numbered(7)))
  await items().nth(3).getByRole('button').click()
  await dialog().getByLabelText('Note').fill('Dinner on Friday')
  await expect.element(dialog().getByText('Note saved')).toBeVisible()
  expect(app.storage.get('activityNotes')).toEqual({ [`${chainId}:0xrow3`]: 'Dinner on Friday' })
  await button('Back').click()
  await expect.element(items().nth(3)).toHaveTextContent('Dinner on Friday')
  await dialog().getByRole('searchbox').fill('friday 4')
  await expect.poll(count).toBe(1)
  await expect.element(dialog().getByText('1 transaction matches')).toBeVisible()
  expect(await violations()).toEqual([])
  await items().first().getByRole('button').click()
  await expect.element(dialog().getByLabelText('Note')).toHaveValue('Dinner on Friday')
  await dialog().getByLabelText('Note').fill('')
  await button('Back').click()
  await expect.poll(count).toBe(7)
  expect(items().nth(3).element().textContent).not.toContain('Dinner')
})

test('behavior: a contact has its name in the row, the details and the search', async () => {
  const names = { [bob]: 'bob.latchkey.eth' }
  const others = Array.from({ length: 6 }, (_, at) =>
    row(`c${at}`, { metadata: { sentTo: carol } }),
  )
  const app = await show(paged([row('aa'), ...others]), { names })
  await expect.poll(count).toBe(7)
  await saveContact(app, { name: 'Bob Builder', address: bob })
  await expect.element(items().first()).toHaveTextContent('To Bob Builder')
  await dialog().getByRole('searchbox').fill('builder')
  await expect.poll(count).toBe(1)
  await items().first().getByRole('button').click()
  await expect.element(dialog().getByText('To Bob Builder')).toBeVisible()
  expect(fact('To')).toContain('Bob Builder')
})

test('behavior: a filter by kind, and a search that reports that more can be loaded', async () => {
  await show(paged([row('sent'), ...numbered(60)]))
  await expect.poll(count).toBe(50)
  await dialog().getByRole('radio', { name: 'Sent' }).click()
  await expect.poll(count).toBe(1)
  await dialog().getByRole('radio', { name: 'Swapped' }).click()
  await expect.element(dialog().getByText('No transactions match')).toBeVisible()
  await dialog().getByRole('radio', { name: 'All' }).click()
  await dialog().getByRole('searchbox').fill('row59')
  await expect.element(dialog().getByText(/^Only the transactions that are loaded/)).toBeVisible()
  await expect.poll(count).toBe(0)
  await button('Load more').click()
  await expect.poll(count).toBe(1)
  await expect
    .element(dialog().getByText(/^Only the transactions that are loaded/))
    .not.toBeInTheDocument()
})

test('default: all activity is exported, with notes', async () => {
  const files = catchDownloads()
  await show(paged(numbered(120)))
  await items().first().getByRole('button').click()
  await dialog().getByLabelText('Note').fill('=1+1')
  await button('Back').click()
  await button('Export CSV').click()
  await expect.element(dialog().getByText('120 transactions exported')).toBeVisible()
  const [file] = files
  expect(file?.name).toMatch(/^activity-latchkey-one-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await file?.content)?.split('\r\n')
  expect(lines?.length).toBe(122)
  expect(lines?.[1]).toContain(`,receive,,,1,NUM,,,,${bob},${alice},${chainId},0xrow0,'=1+1`)
})

test('behavior: an export can be canceled, and an export that fails says so', async () => {
  const files = catchDownloads()
  const answer = paged(numbered(60))
  const held: (() => void)[] = []
  let isDown = false
  await show(async (search) => {
    if (isDown) return new Response('', { status: 503 })
    if (search.has('cursor')) await new Promise<void>((resolve) => held.push(resolve))
    return answer(search)
  })
  await button('Export CSV').click()
  await expect.element(dialog().getByText('Reading… 50')).toBeVisible()
  await button('Cancel').click()
  await expect.element(button('Export CSV')).toBeVisible()
  held[0]?.()
  isDown = true
  await button('Export CSV').click()
  await expect.element(dialog().getByText('The activity could not be exported')).toBeVisible()
  expect(files).toEqual([])
})

test('behavior: the export reads prices of the time with its progress, and reports those that are missing', async () => {
  const files = catchDownloads()
  const rows = paged([received('a', '2')])
  const held: (() => void)[] = []
  let isDown = false
  await show(async (search) => {
    if (!search.has('period')) return rows(search)
    if (isDown) return new Response('', { status: 503 })
    await new Promise<void>((resolve) => held.push(resolve))
    return { points: [{ atMs: Date.now() - 3_600_000, price: 3 }] }
  })
  await button('Export CSV').click()
  await expect.element(dialog().getByText('Reading prices… 0 of 1')).toBeVisible()
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  await expect.element(dialog().getByText('1 transaction exported')).toBeVisible()
  expect(await files[0]?.content).toContain(',receive,,,2,NUM,6.00,')
  isDown = true
  await button('Export CSV').click()
  await expect.element(dialog().getByText(/Some prices could not be read/)).toBeVisible()
  expect(await files[1]?.content).toContain(',receive,,,2,NUM,,')
})

test('behavior: in the account, the search is behind a button', async () => {
  await show(paged(numbered(7)), { view: { name: 'Account', tab: 'activity' } })
  await expect.poll(count).toBe(7)
  await expect.element(dialog().getByRole('searchbox')).not.toBeInTheDocument()
  await button('Search and filter').click()
  await dialog().getByRole('searchbox').fill('row6')
  await expect.poll(count).toBe(1)
  await expect.element(button('Export CSV')).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
  await button('Search and filter').click()
  await expect.poll(count).toBe(7)
})

test('address poisoning: the name of an address that imitates a known address is not looked up', async () => {
  const imitation = `${bob.slice(0, 6)}${'1'.repeat(30)}${bob.slice(-6)}`
  const asked: string[] = []
  const rows = [row('aa', { metadata: { sentFrom: imitation, sentTo: alice } }), row('bb')]
  const names = { [imitation]: 'bob.latchkey.eth', [bob]: 'bob.example' }
  await show(paged(rows), { names, asked })
  await expect.element(items().nth(1)).toHaveTextContent('To bob.example')
  await expect.element(items().first()).toHaveTextContent('From 0x70…dc79C8')
  await items().first().getByRole('button').click()
  await expect.element(dialog().getByText(`Looks like ${bob}`, { exact: false })).toBeVisible()
  expect(asked).not.toContain(imitation)
  expect(fact('From')?.toLowerCase()).toBe(imitation.toLowerCase())
})
