import {
  closeModal,
  connect,
  goBack,
  latchkeyOne,
  openModal,
  switchNetwork,
  watchActivity,
} from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ActivityList, ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { createFakeSockets } from '../fakes/fakeSocket.ts'
import { alice, announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void

beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})

afterEach(() => silence())

type Settings = Parameters<typeof testApp>
type Rows = ReturnType<typeof row>[]

const chainId = 'eip155:31337'
const coin = (direction: string, numeric: string, symbol = 'ETH') => ({
  fungible_info: { name: symbol, symbol },
  direction,
  quantity: { numeric },
})

function row(
  id: string,
  {
    type = 'send',
    at = new Date().toISOString(),
    status = 'confirmed',
    transfers = [coin('out', '1.5')] as unknown[],
    from = alice,
    to = bob,
    blocks = undefined as { after: number; to: number } | undefined,
  } = {},
) {
  return {
    id,
    metadata: {
      operationType: type,
      hash: `0x${id}`,
      minedAt: at,
      sentFrom: from,
      sentTo: to,
      status,
      nonce: 1,
      chain: chainId,
      blocks,
    },
    transfers,
  }
}

const numbered = (count: number, from = 0): Rows =>
  Array.from({ length: count }, (_, index) =>
    row(`row ${from + index}`, { transfers: [coin('in', String(from + index + 1), 'NUM')] }),
  )

/**
 * A server that holds `rows`, newest first, and cuts them into pages of 50 by the id of the last
 * one.
 */
const paged = (rows: () => Rows) => (search: URLSearchParams) => {
  const all = rows()
  const cursor = search.get('cursor')
  const from = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  const data = all.slice(from, from + 50)
  return { data, next: from + 50 < all.length ? data.at(-1)?.id : null }
}

async function show(
  answers: Settings[1],
  { view = 'Transactions', ...rest }: { view?: 'Transactions' | 'Account' } & Settings[2] = {},
) {
  const app = testApp({}, answers, rest)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: view } })
  return app
}

const dialog = () => page.getByRole('dialog')
const items = () => dialog().getByRole('listitem')
const tab = (name: string) => dialog().getByRole('tab', { name })
/**
 * Presses the button for more without scrolling to it, so that scrolling does not load anything.
 */
async function pressMore() {
  const button = dialog().getByRole('button', { name: 'Load more' }).element() as HTMLElement
  button.focus({ preventScroll: true })
  await userEvent.keyboard('{Enter}')
}
const count = () => document.querySelectorAll('dialog li').length

test('default: what was done, the other party, the amount and the time, by month and day', async () => {
  const lastYear = new Date(new Date().getFullYear() - 1, 2, 5).toISOString()
  const rows = [
    row('1', { at: new Date(Date.now() - 190_000).toISOString() }),
    row('2', { type: 'trade', transfers: [coin('out', '1.5'), coin('in', '2950', 'USD')] }),
    row('3', { type: 'receive', from: bob, to: alice, transfers: [coin('in', '0.00044129')] }),
    row('4', { type: 'approve', transfers: [] }),
    row('5', { status: 'failed', transfers: [coin('out', '0.00000001')] }),
    row('6', { status: 'pending', transfers: [coin('self', '2')] }),
    row('7', { at: lastYear, type: 'what is this' }),
  ]
  const unknown = { type: 'balance', from: '', to: '', transfers: [coin('in', '1')] }
  rows.splice(
    6,
    0,
    row('8', { ...unknown, blocks: { after: 11, to: 12 } }),
    row('9', { ...unknown, blocks: { after: 11, to: 20 } }),
  )
  await show({ history: paged(() => rows) })
  await expect.element(dialog().getByRole('heading', { name: 'Activity' })).toBeVisible()
  await expect.element(items().nth(8)).toBeInTheDocument()
  const texts = [...document.querySelectorAll<HTMLElement>('dialog li')].map(
    (item) => item.textContent ?? '',
  )
  expect(texts).toEqual([
    // The start of the wait is unknown.
    'Sent to yourselfPendingTo 0x70…dc79C82 ETH',
    'SentTo 0x70…dc79C8−1.5 ETH3 min ago',
    'Swapped−1.5 ETH+2,950 USDJust now',
    'ReceivedFrom 0x70…dc79C8+0.000441 ETHJust now',
    'ApprovedContract 0x70…dc79C8Just now',
    'SentFailedTo 0x70…dc79C8−0.00000001 ETHJust now',
    'Balance changedUnknown transaction, block 12+1 ETHJust now',
    'Balance changedUnknown transaction, blocks 12 to 20+1 ETHJust now',
    expect.stringMatching(/^TransactionTo 0x70…dc79C8−1\.5 ETH\d+:\d\d [AP]M$/),
  ])
  const months = [...document.querySelectorAll('dialog h3')].map((heading) => heading.textContent)
  const monthOf = (at: string) => new Date(at).toLocaleString('en', { month: 'long' })
  // Two at the turn of a month.
  const recent = new Set(rows.slice(0, 8).map(({ metadata }) => monthOf(metadata.minedAt)))
  expect(months).toEqual([...recent].reverse().concat(`March ${new Date().getFullYear() - 1}`))
  const days = [...document.querySelectorAll('dialog h4')].map((heading) => heading.textContent)
  const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  // Two at the turn of a day.
  const near = new Set(['Today', ...(days.includes('Yesterday') ? ['Yesterday'] : [])])
  expect(days).toEqual([...near, new Date(lastYear).toLocaleDateString('en', date)])
  expect(await violations()).toEqual([])
})

test('behavior: tabs of the account: remembered, and only what the server has', async () => {
  const features = { [chainId]: { activity: { on: true, source: 'RPC' } } }
  const app = await show(
    { history: paged(() => numbered(1)), areas: () => ({ http: [chainId], ws: [], features }) },
    { view: 'Account' },
  )
  await expect.element(tab('NFTs')).not.toBeInTheDocument()
  await tab('Activity').click()
  await expect.element(items().first()).toHaveTextContent('+1 NUM')
  goBack(app)
  openModal(app)
  await expect.element(tab('Activity')).toHaveAttribute('aria-selected', 'true')
  openModal(app, { view: { name: 'Account', tab: 'tokens' } })
  await expect.element(tab('Tokens')).toHaveAttribute('aria-selected', 'true')
  tab('Tokens').element().focus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(tab('Activity')).toHaveAttribute('aria-selected', 'true')
})

test('behavior: more come as the end is reached, and by a button', async () => {
  await show({ history: paged(() => numbered(120)) })
  await expect.poll(count).toBe(50)
  await pressMore()
  await expect.poll(count).toBe(100)
  // Rows are laid out as they become visible, so the end moves while the user scrolls to it.
  const scrolled = () => {
    dialog().getByRole('button', { name: 'Load more' }).query()?.scrollIntoView()
    return count()
  }
  await expect.poll(scrolled).toBe(120)
  await expect.element(dialog().getByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
})

test('error: if more cannot be loaded, the list stays and loading can be tried again', async () => {
  let isDown = true
  const fine = paged(() => numbered(60))
  await show({
    history: (search) =>
      isDown && search.has('cursor') ? new Response('', { status: 503 }) : fine(search),
  })
  await expect.poll(count).toBe(50)
  await pressMore()
  await expect.element(dialog().getByRole('alert').first()).toBeVisible()
  expect(count()).toBe(50)
  isDown = false
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await expect.poll(count).toBe(60)
})

test('error: a history that cannot be loaded says so and can be tried again', async () => {
  let isDown = true
  await show({
    history: () => (isDown ? new Response('', { status: 503 }) : { data: numbered(1), next: null }),
  })
  await expect.element(dialog().getByText('Activity could not be loaded')).toBeVisible()
  await expect.element(dialog().getByText('Failed to fetch transactions')).toBeVisible()
  expect(await violations()).toEqual([])
  isDown = false
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await expect.poll(count).toBe(1)
})

test('behavior: nothing yet', async () => {
  await show({})
  await expect.element(dialog().getByText('No activity yet')).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: a past that is not known whole says since when', async () => {
  const sync = { complete: true, progress: 1, since: '2026-01-05T12:00:00Z' }
  await show({ history: () => ({ data: numbered(1), next: null, sync }) })
  await expect.element(dialog().getByText('Shows activity since Jan 5, 2026.')).toBeVisible()
})

test('behavior: seen again, only the newest page is read again', async () => {
  const asked: (string | null)[] = []
  const answer = paged(() => numbered(120))
  const app = await show({
    history: (search) => {
      asked.push(search.get('cursor'))
      return answer(search)
    },
  })
  await expect.poll(count).toBe(50)
  await pressMore()
  await expect.poll(count).toBe(100)
  openModal(app, { view: { name: 'Receive' } })
  await expect.poll(count).toBe(0)
  const before = asked.length
  openModal(app, { view: { name: 'Transactions' } })
  await expect.poll(count).toBe(100)
  await expect.poll(() => asked.slice(before)).toEqual([null])
})

test('behavior: a page of nothing but spam is read over', async () => {
  const junk = { nft_info: { name: 'You won', flags: { is_spam: true } }, direction: 'in' }
  const spam = Array.from({ length: 50 }, (_, index) =>
    row(`spam ${index}`, { transfers: [{ ...junk, quantity: { numeric: '1' } }] }),
  )
  await show({ history: paged(() => [...spam, ...numbered(2)]) })
  await expect.poll(count).toBe(2)
})

test('behavior: how far the looking has come, and what is found meanwhile', async () => {
  const { webSocket, send } = createFakeSockets()
  let rows: Rows = []
  const sync = { complete: false, progress: 0.426, since: null }
  await show({ history: () => ({ data: rows, next: null, sync: { ...sync } }) }, { webSocket })
  await expect.element(dialog().getByText('Reading earlier blocks… 42%')).toBeVisible()
  expect(await violations()).toEqual([])
  // The responses match the event, because the list may be fetched at any time.
  sync.progress = 0.8
  send({ type: 'sync', chainId, sync: { ...sync } })
  await expect.element(dialog().getByText('Reading earlier blocks… 80%')).toBeVisible()
  rows = numbered(3)
  sync.complete = true
  send({ type: 'changed', chainId })
  await expect.poll(count).toBe(3)
  await expect.element(dialog().getByText(/Reading earlier blocks/)).not.toBeInTheDocument()
})

test('behavior: an answer that was on its way does not take back the progress that an event told', async () => {
  const { webSocket, send } = createFakeSockets()
  const sync = { complete: false, progress: 0.4, since: null }
  const held: (() => void)[] = []
  let isHeld = false
  let answers = 0
  const history = async () => {
    // The state at the time of the request.
    const answer = { data: [], next: null, sync: { ...sync } }
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
    answers++
    return answer
  }
  await show({ history }, { webSocket })
  await expect.element(dialog().getByText('Reading earlier blocks… 40%')).toBeVisible()
  // The first read, and the read after the socket opens.
  await expect.poll(() => answers).toBeGreaterThan(1)
  isHeld = true
  send({ type: 'changed', chainId })
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  // The search continues, so the whole list is read.
  await expect.poll(() => held.length).toBe(2)
  sync.progress = 0.8
  send({ type: 'sync', chainId, sync: { ...sync } })
  await expect.element(dialog().getByText('Reading earlier blocks… 80%')).toBeVisible()
  held[1]?.()
  // By the next read, the late response has been applied.
  send({ type: 'changed', chainId })
  await expect.poll(() => held.length).toBe(3)
  await expect.element(dialog().getByText('Reading earlier blocks… 80%')).toBeVisible()
  isHeld = false
  held[2]?.()
})

test('behavior: while the server searches, the end is requested once and the progress line stays; then the rest appears', async () => {
  const { webSocket, send } = createFakeSockets()
  let rows = numbered(2)
  const sync = { complete: false, progress: 0.4, since: null }
  const cursors: string[] = []
  await show(
    {
      history: (search) => {
        const cursor = search.get('cursor')
        if (cursor !== null) cursors.push(cursor)
        const data = cursor === null ? rows : []
        return { data, next: sync.complete ? null : 'floor', sync }
      },
    },
    { webSocket },
  )
  await expect.poll(count).toBe(2)
  await expect.poll(() => cursors.length).toBeGreaterThan(0)
  await expect.element(dialog().getByText('Reading earlier blocks… 40%')).toBeVisible()
  await expect.element(dialog().getByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
  rows = numbered(3)
  sync.complete = true
  send({ type: 'changed', chainId })
  await expect.poll(count).toBe(3)
  await expect.element(dialog().getByText(/Reading earlier blocks/)).not.toBeInTheDocument()
  expect(new Set(cursors)).toEqual(new Set(['floor']))
})

test('behavior: new ones appear on top, nothing moves under the eye, later pages stay', async () => {
  const { webSocket, send } = createFakeSockets()
  let rows = numbered(120)
  const asked: (string | null)[] = []
  const answer = paged(() => rows)
  await show(
    {
      history: (search) => {
        asked.push(search.get('cursor'))
        return answer(search)
      },
    },
    { webSocket },
  )
  await expect.poll(count).toBe(50)
  await pressMore()
  await expect.poll(count).toBe(100)
  const middle = dialog().getByText('+30 NUM', { exact: true }).element()
  middle.scrollIntoView({ block: 'center' })
  // After a frame, because it lays out the rows that have become visible, and keeps the scroll
  // position.
  const drawnTop = async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    return Math.round(middle.getBoundingClientRect().top)
  }
  // The first read, and the read after the socket opens.
  await expect.poll(() => asked.filter((cursor) => cursor === null).length).toBe(2)
  const [before, askedBefore] = [await drawnTop(), asked.length]
  rows = [row('new 1'), row('new 2'), ...rows]
  send({ type: 'changed', chainId })
  await expect.poll(() => document.querySelector('dialog li')?.textContent).toContain('−1.5 ETH')
  expect(Math.abs((await drawnTop()) - before)).toBeLessThanOrEqual(2)
  expect(count()).toBe(102)
  expect(asked.slice(askedBefore)).toEqual([null])
  const ids = [...document.querySelectorAll('dialog li')].map(({ textContent }) => textContent)
  expect(new Set(ids.slice(2)).size).toBe(100)
})

test('behavior: an answer from before a transaction does not hide it, whenever it arrives', async () => {
  const { webSocket, send } = createFakeSockets()
  let rows = numbered(2)
  const held: (() => void)[] = []
  let isHolding = false
  const app = await show(
    {
      history: async (search) => {
        const answer = paged(() => rows)(search)
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
        return answer
      },
    },
    { webSocket },
  )
  await expect.poll(count).toBe(2)
  // The socket stays open, so that opening again reads once and not a second time for the socket.
  const stop = watchActivity(app, () => {})
  closeModal(app)
  await expect.poll(count).toBe(0)
  isHolding = true
  openModal(app, { view: { name: 'Transactions' } })
  await expect.poll(() => held.length).toBe(1)
  isHolding = false
  rows = [row('new'), ...rows]
  send({ type: 'changed', chainId })
  await expect.poll(count).toBe(3)
  held[0]?.()
  // All reads have ended when this read has ended.
  rows = [row('newer'), ...rows]
  send({ type: 'changed', chainId })
  await expect.poll(count).toBe(4)
  expect(document.querySelectorAll('dialog li')[1]?.textContent).toContain('−1.5 ETH')
  stop()
})

test('behavior: what a re-org takes back goes', async () => {
  const { webSocket, send } = createFakeSockets()
  let rows = [row('gone'), ...numbered(2)]
  await show({ history: paged(() => rows) }, { webSocket })
  await expect.poll(count).toBe(3)
  rows = rows.slice(1)
  send({ type: 'changed', chainId })
  await expect.poll(count).toBe(2)
})

test('behavior: an explorer is led to by https alone', async () => {
  const blockExplorer = { name: 'Explorer', url: 'https://explorer.example' }
  const app = testApp(
    { networks: [{ ...latchkeyOne, blockExplorer }] },
    { history: paged(() => numbered(1)) },
  )
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'Transactions' } })
  await items().first().getByRole('button').click()
  await expect
    .element(dialog().getByRole('link', { name: 'View in explorer' }))
    .toHaveAttribute('href', 'https://explorer.example/tx/0xrow 0')
})

test('behavior: a thousand rows scroll, right to left and on a phone, and nothing is cut sideways', async () => {
  document.documentElement.dir = 'rtl'
  await page.viewport(390, 844)
  const long = coin('in', '123456789012345678901234567890.123', 'A_VERY_LONG_SYMBOL_OF_A_TOKEN')
  const rows = [row('long', { transfers: [long] }), ...numbered(999)]
  await show({ history: () => ({ data: rows, next: null }) })
  await expect.poll(count).toBe(1000)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  const card = document.querySelector('dialog li')?.closest('ul')?.parentElement?.parentElement
  expect(card?.scrollWidth).toBeLessThanOrEqual((card?.clientWidth ?? 0) + 16)
  const scrollMs = (which: string) => {
    const begin = performance.now()
    document.querySelector(`dialog li:${which}-child`)?.scrollIntoView()
    document.body.getBoundingClientRect()
    return performance.now() - begin
  }
  // The best of several: a stall of the machine counts for nothing.
  await expect.poll(() => Math.min(...['last', 'first', 'last'].map(scrollMs))).toBeLessThan(500)
})

test('behavior: each network has its own list, also after viewing another network', async () => {
  const there = row('b1', { transfers: [coin('in', '2', 'TWO')] })
  const lists: Record<string, Rows> = {
    [chainId]: [row('a1', { transfers: [coin('in', '1', 'ONE')] })],
    'eip155:31338': [{ ...there, metadata: { ...there.metadata, chain: 'eip155:31338' } }],
  }
  const app = await show({
    history: (search) => ({ data: lists[search.get('chainId') ?? ''], next: null }),
  })
  await expect.element(items()).toHaveTextContent(/1 ONE/)
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await expect.element(items()).toHaveTextContent(/2 TWO/)
  await switchNetwork(app, { chainId })
  await expect.element(items()).toHaveTextContent(/1 ONE/)
})

test('param: limit: shows the newest transactions, without a search and a button for more', async () => {
  const junk = { nft_info: { name: 'You won', flags: { is_spam: true } }, direction: 'in' }
  // The first page has fewer than the limit.
  const spam = Array.from({ length: 47 }, (_, index) =>
    row(`spam ${index}`, { transfers: [{ ...junk, quantity: { numeric: '1' } }] }),
  )
  const history = paged(() => [...numbered(3), ...spam, ...numbered(60, 3)])
  const app = testApp({}, { history })
  await render(
    <LatchkeyProvider app={app}>
      <main data-lk-theme="dark" style={{ background: 'var(--lk-surface)' }}>
        <h1>Portfolio</h1>
        <h2>Activity</h2>
        <ActivityList limit={8} />
      </main>
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  const shown = page.getByRole('main').getByRole('listitem')
  await expect.element(shown.nth(7)).toHaveTextContent('+8 NUM')
  expect(shown.elements().length).toBe(8)
  await expect.element(page.getByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
  await expect.element(page.getByLabelText(/^Search by name/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
})
