import { pushView, type View } from '@latchkey/core/internal'
import { isInSight } from '@latchkey/dev/isInSight'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { findList } from '../../src/modal/useColumns.ts'
import '../../src/theme.css'
import { hang } from '../fakes/fakeWallet.ts'
import { ordinary } from '../gallery/fillings.ts'
import { findOverflow, getCard, untilStill } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { announce, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'
import { showSample } from '../visual/showSample.tsx'

/** The views that a press in the list of wallets leads to before an account is connected. */
const nextToList = [
  'AllWallets',
  'ConnectNamespaces',
  'ConnectSocials',
  'ConnectingExternal',
  'ConnectingFarcaster',
  'ConnectingSocial',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'Downloads',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'GetAWallet',
  'WhatIsAWallet',
]
const samples = getSamples(ordinary)

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const explanation = () => dialog().getByText('A home for what you own')
const findPanes = () =>
  [...getCard().querySelectorAll<HTMLElement>('[data-pane]')].map(({ dataset }) => dataset.pane)
const getPane = (name: 'list' | 'next') => {
  const pane = getCard().querySelector(`[data-pane="${name}"]`)
  if (!pane) throw new Error(`No pane is the ${name}`)
  return pane
}
/** Opens the list of wallets, with the setup of a view that it leads to. */
const showList = async (label: string) => {
  const sample = samples.find((other) => other.label === label)
  if (!sample) throw new Error(`No view is called ${label}`)
  const list = await showSample({ ...sample, view: { name: 'Connect' } }, { filling: ordinary })
  return { ...list, sample }
}
const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()

/** Opens the list of two wallets that never answer. */
async function openList() {
  const wallets = ['Fieldwork', 'Meadow'].map((name) => {
    const wallet = createFakeWallet()
    wallet.answers.eth_requestAccounts = hang
    return { name, wallet }
  })
  const silence = announce(wallets)
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  silence()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(button('Fieldwork Installed')).toBeVisible()
  return app
}

afterEach(() => page.viewport(1280, 900))

test('default: in a wide window, a pressed wallet is shown next to the list, and another takes its place', async () => {
  await page.viewport(1280, 900)
  const app = await openList()
  await expect.element(explanation()).toBeVisible()
  expect(await violations()).toEqual([])
  const row = button('Fieldwork Installed').element()
  await button('Fieldwork Installed').click()
  const waiting = dialog().getByText('Continue in Fieldwork')
  await expect.element(waiting).toBeVisible()
  await expect.element(explanation()).not.toBeInTheDocument()
  // The list is the same one, and is not under the view.
  expect(row.isConnected).toBe(true)
  expect(boxOf(row).right).toBeLessThanOrEqual(boxOf(waiting.element()).left)
  expect(await violations()).toEqual([])

  await button('Meadow Installed').click()
  await expect.element(dialog().getByText('Continue in Meadow')).toBeVisible()
  await expect.element(waiting).not.toBeInTheDocument()
  const names = () => app.store.getState().modal.history.map(({ name }) => name)
  expect(names()).toEqual(['Connect', 'ConnectingExternal'])
  await button('Back').click()
  await expect.element(explanation()).toBeVisible()
  expect(names()).toEqual(['Connect'])
})

test('behavior: in a narrow window, the pressed wallet takes the place of the list', async () => {
  await page.viewport(859, 900)
  await openList()
  expect(explanation().elements()).toEqual([])
  await button('Fieldwork Installed').click()
  await expect.element(dialog().getByText('Continue in Fieldwork')).toBeVisible()
  expect(button('Meadow Installed').elements()).toEqual([])
})

test('behavior: only views that lead to a connection are next to the list', () => {
  const connect: View = { name: 'Connect' }
  const found = samples.filter(({ view }) => findList([connect, view]) === 1)
  expect(found.map(({ label }) => label).sort()).toEqual([...nextToList].sort())
  // Without the list in the history, it is not shown.
  expect(samples.filter(({ view }) => findList([view])).map(({ view }) => view)).toEqual([connect])
})

test.each(nextToList)('behavior: %s is next to the list', async (label) => {
  await page.viewport(1280, 900)
  const { app, sample } = await showList(label)
  pushView(app, sample.view)
  await untilStill()
  await expect.poll(() => findPanes().sort()).toEqual(['list', 'next'])
  const [list, next] = [boxOf(getPane('list')), boxOf(getPane('next'))]
  expect([list.width, next.width]).toEqual([352, 408])
  expect(next.left).toBe(list.right)
  expect(findOverflow()).toEqual([])
  expect(document.activeElement).toBe(getCard().querySelector('h2'))
  await page.viewport(390, 844)
  await expect.poll(findPanes).toEqual([])
})

test('behavior: all wallets scroll next to the list, whose pressed row is marked', async () => {
  await page.viewport(1280, 800)
  await showList('AllWallets')
  const all = button(/^All wallets/)
  await all.click()
  const search = dialog().getByRole('searchbox')
  await expect.element(search).toBeVisible()
  await untilStill()
  const marked = () =>
    [...getCard().querySelectorAll('[aria-current="true"]')].map(({ textContent }) =>
      textContent?.slice(0, 11),
    )
  expect(marked()).toEqual(['All wallets'])
  expect(all.element().matches('[data-pane="list"] *')).toBe(true)
  expect(search.element().matches('[data-pane="next"] *')).toBe(true)
  const frame = getCard().lastElementChild as HTMLElement
  frame.scrollTo(0, 10_000)
  await expect.poll(() => frame.scrollTop).toBeGreaterThan(0)
  await expect.poll(() => isInSight(getPane('list').querySelector('button'))).toBe(true)
  expect(isInSight(search.element())).toBe(true)

  const card = getPane('next').querySelector<HTMLElement>('button[title]')
  card?.click()
  await expect.element(search).not.toBeInTheDocument()
  expect(findPanes().sort()).toEqual(['list', 'next'])
  expect(marked()).toEqual(['All wallets'])
  await button('Back').click()
  await expect.element(search).toBeVisible()
  await button('Back').click()
  await expect.element(explanation()).toBeVisible()
  expect(marked()).toEqual([])
})

test('behavior: "Start with your email" leads to the field next to an open view', async () => {
  await page.viewport(1280, 900)
  const { app } = await showList('Connect')
  pushView(app, { name: 'AllWallets' })
  await expect.element(dialog().getByRole('searchbox')).toBeVisible()
  await button('Start with your email').click()
  await expect.element(dialog().getByRole('textbox', { name: /email/i })).toHaveFocus()
  expect(findPanes().sort()).toEqual(['list', 'next'])
})
