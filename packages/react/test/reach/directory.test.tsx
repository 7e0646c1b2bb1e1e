import { type App, openModal, walletImageUrl } from '@latchkey/core/internal'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { createFakePairing } from '../fakes/fakePairing.ts'
import { testApp } from '../testApp.ts'
import { noteTitles } from '../watch/noteTitles.ts'

/** Shows a page whose `lists` are the wallet lists that it has requested, in order. */
async function show(config: Parameters<typeof testApp>[0] = {}) {
  const lists: URLSearchParams[] = []
  const other = ({ pathname, searchParams }: URL) => {
    if (pathname === '/getWallets') lists.push(searchParams)
    return undefined
  }
  const app = testApp(config, { other }, { pairing: createFakePairing() })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return { app, lists }
}

const dialog = () => page.getByRole('dialog')
/** Ids of wallets in the middle of the directory. */
const toIds = (count: number) =>
  Array.from({ length: count }, (_, index) => (index + 50).toString(16).padStart(64, '0'))
const nextFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** The wallets, among these ids, whose images the browser has fetched. */
const getFetched = (app: App, ids: readonly string[]) => {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name)
  return ids.filter((id) => fetched.some((url) => url === walletImageUrl(app, id)))
}

test('behavior: the list of wallets loads no view of logins, sending, receiving, swapping, buying or activity', async () => {
  performance.setResourceTimingBufferSize(10_000)
  const { app } = await show()
  openModal(app)
  await expect.element(dialog().getByRole('button', { name: 'Alder' }).first()).toBeVisible()
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const has = (view: string) => loaded.some((url) => url.includes(`/views/${view}.tsx`))
  expect(has('connect/Connect')).toBe(true)
  const later = ['login/EmailVerifyOtp', 'login/ConnectingSocial', 'send/Send', 'account/Receive']
  const others = ['swap/Swap', 'buy/Buy', 'account/ActivityList']
  expect([...later, ...others].filter(has)).toEqual([])
})

test('param: wallets.featuredIds: requests all of them, and then the recommended wallets', async () => {
  const featuredIds = toIds(7)
  const { app, lists } = await show({ wallets: { featuredIds } })
  openModal(app)
  await expect.element(dialog().getByRole('button', { name: 'Alder' }).first()).toBeVisible()
  const featured = lists.filter((search) => search.has('include'))
  expect(featured.map((search) => search.get('include')?.split(','))).toEqual([featuredIds])
  expect(featured[0]?.get('entries')).toBe('7')
  for (const name of [
    'Fir 6',
    'Ginkgo 6',
    'Hazel 6',
    'Ironwood 6',
    'Alder 7',
    'Birch 7',
    'Cedar 7',
  ])
    await expect.element(dialog().getByRole('button', { name })).toBeVisible()
})

test('behavior: the first 20 images of a list are fetched before they are shown', async () => {
  performance.clearResourceTimings()
  performance.setResourceTimingBufferSize(10_000)
  const ids = toIds(25)
  const { app } = await show({ wallets: { featuredIds: ids } })
  await page.getByRole('button', { name: 'Connect wallet' }).hover()
  await expect.poll(() => getFetched(app, ids)).toEqual(ids.slice(0, 20))
  expect(app.store.getState().modal.open).toBe(false)
})

test('behavior: the title of a wallet far down in the directory is there with its view', async () => {
  const { app } = await show()
  openModal(app)
  await dialog().getByRole('button', { name: 'All wallets' }).click()
  const card = dialog().getByRole('button', { name: 'Ironwood 3' })
  await expect.element(card).toBeVisible()
  const titles = noteTitles()
  await card.click()
  await expect.poll(() => titles.at(-1)).toBe('Ironwood 3')
  expect(titles).toEqual(['All wallets', 'Ironwood 3'])
})

test('behavior: sends a search 300 ms after the last key press', async () => {
  const { app, lists } = await show()
  openModal(app, { view: { name: 'AllWallets' } })
  await expect.element(dialog().getByRole('button', { name: 'Alder' }).first()).toBeVisible()
  const searches = () => lists.flatMap((search) => search.get('search') ?? [])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await dialog().getByRole('searchbox').fill('iron')
  await nextFrames()
  vi.advanceTimersByTime(200)
  await dialog().getByRole('searchbox').fill('ironwood')
  await nextFrames()
  vi.advanceTimersByTime(299)
  await nextFrames()
  expect(searches()).toEqual([])
  vi.advanceTimersByTime(1)
  await expect.poll(searches).toEqual(['ironwood'])
})
