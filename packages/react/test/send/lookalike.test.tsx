import { connect, openModal, setTheme, type View } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { isInSight } from '@latchkey/dev/isInSight'
import { alice, announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void
beforeEach(async () => {
  await page.viewport(390, 844)
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(async () => {
  silence()
  await page.viewport(1280, 860)
})

const dialog = () => page.getByRole('dialog')
const lookalike = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`.toLowerCase()
const warning = () =>
  dialog()
    .getByRole('alert')
    .filter({ hasText: /looks like one you know/ })

const sent = (id: string, { from, to }: { from: string; to: string }) => ({
  id,
  metadata: {
    ...{ operationType: 'send', hash: `0x${id}`, minedAt: new Date().toISOString() },
    ...{ sentFrom: from, sentTo: to, status: 'confirmed', nonce: 1, chain: 'eip155:31337' },
  },
  transfers: [
    {
      fungible_info: { name: 'ETH', symbol: 'ETH' },
      direction: from === alice ? 'out' : 'in',
      quantity: { numeric: '1' },
    },
  ],
})

async function show(view: View, history: unknown[]) {
  const app = testApp({}, { history: () => ({ data: history, next: null }) })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view })
  return app
}

test('default: Send warns of an address that resembles an address paid before, in the form and in the review', async () => {
  const app = await show({ name: 'Send' }, [sent('a1', { from: alice, to: bob })])
  await dialog().getByRole('textbox', { name: 'Amount' }).fill('1')
  const field = dialog().getByRole('textbox', { name: 'To' })
  await field.fill(bob)
  await expect.element(dialog().getByRole('button', { name: 'Review' })).toBeVisible()
  await expect.element(warning()).not.toBeInTheDocument()
  await field.fill(lookalike)
  await expect.element(warning()).toHaveTextContent(bob)
  for (const mode of ['light', 'dark'] as const) {
    setTheme(app, { mode })
    expect(await violations()).toEqual([])
  }
  await dialog().getByRole('button', { name: 'Review' }).click()
  await expect.element(warning()).toHaveTextContent(bob)
  await expect
    .element(dialog().getByRole('heading', { name: 'Review transfer', exact: true }))
    .toBeVisible()
  const danger = warning().element()
  const amount = dialog().getByRole('heading', { name: 'Send 1 ETH?' }).element()
  expect(amount.compareDocumentPosition(danger)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await expect.poll(() => isInSight(danger)).toBe(true)
  expect(await violations()).toEqual([])
})

test('default: a row of the activity reports that its other side only resembles a known address', async () => {
  const rows = [sent('b2', { from: lookalike, to: alice }), sent('b1', { from: alice, to: bob })]
  await show({ name: 'Transactions' }, rows)
  await expect.element(dialog().getByText('Lookalike address')).toBeVisible()
  expect(dialog().getByText('Lookalike address').elements()).toHaveLength(1)
  await expect.element(dialog().getByTitle(`Looks like ${bob}`, { exact: false })).toBeVisible()
  expect(await violations()).toEqual([])
})
