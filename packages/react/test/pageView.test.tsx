import { connect } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider, PageView, type PageViewName } from '../src/index.ts'
import '../src/theme.css'
import { refuse } from './fakes/fakeWallet.ts'
import {
  alice,
  announce,
  bob,
  createFakeWallet,
  type FakeWallet,
  nodeAnswer,
  testApp,
} from './testApp.ts'
import { violations } from './violations.ts'

const chainId = 'eip155:31337'
const on = { on: true, source: '' }

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

/** A page that shows a view in itself. */
async function show(name: PageViewName, other: (url: URL) => unknown = () => undefined) {
  const features = { [chainId]: { names: on, identity: on, allowances: on } }
  const rpc = (method: string, params: unknown) =>
    method === 'eth_call' ? '0x1' : nodeAnswer(method, params)
  const app = testApp({}, { other, rpc, areas: () => ({ http: [chainId], ws: [], features }) })
  await render(
    <LatchkeyProvider app={app}>
      <main data-lk-theme="dark" style={{ background: 'var(--lk-surface)' }}>
        <PageView view={{ name }} />
      </main>
    </LatchkeyProvider>,
  )
  return app
}

const signIn = (app: ReturnType<typeof testApp>) =>
  connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })

test('default: a press opens the modal on the next view, whose end returns to the page', async () => {
  let shown = 'alder.latchkey.id'
  const toRecord = (name: string) => ({
    ...{ name, registered_at: '', updated_at: '', attributes: null },
    addresses: { 60: { address: alice, created_at: null, created: null } },
  })
  wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
  const app = await show('Names', ({ pathname }) => {
    if (pathname === '/v1/profile/zones') return { zones: ['latchkey.id'] }
    if (pathname.includes('/v1/identity')) return { name: shown, avatar: null, resolvedAt: null }
    if (pathname.includes('reverse'))
      return ['alder.latchkey.id', 'birch.latchkey.id'].map(toRecord)
    const [, chosen] = /account\/([^/]+)\/primary/.exec(pathname) ?? []
    if (chosen === undefined) return undefined
    shown = chosen
    return toRecord(chosen)
  })
  await signIn(app)
  const button = (name: string) => page.getByRole('button', { name })
  await expect.element(button('alder.latchkey.id Shown as your name')).toBeVisible()
  expect(app.store.getState().modal.open).toBe(false)
  expect(await violations()).toEqual([])
  await button('birch.latchkey.id').click()
  const dialog = page.getByRole('dialog')
  await expect
    .element(dialog.getByRole('heading', { name: 'birch.latchkey.id', exact: true }))
    .toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Back' })).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Show as my name' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button('birch.latchkey.id Shown as your name')).toBeVisible()
})

test('error: a failure that the page shows is not repeated in a message', async () => {
  const allowance = {
    ...{ kind: 'erc20', tokenId: null, spender: bob, spenderName: null, amount: '12.5' },
    ...{ isUnlimited: false, changedAt: new Date().toISOString(), expiresAt: null, isSpam: false },
    token: { address: `${chainId}:${alice}`, name: 'Test', symbol: 'TUSD', iconUrl: null },
  }
  wallet.answers.eth_sendTransaction = () => refuse(-32_000)
  const sync = { complete: true, progress: 1, since: null }
  const app = await show('Allowances', ({ pathname }) =>
    pathname.endsWith('/allowances') ? { data: [allowance], next: null, sync } : undefined,
  )
  await signIn(app)
  await page.getByRole('checkbox', { name: /^TUSD/ }).click()
  await page.getByRole('button', { name: 'Revoke 1' }).click()
  const failure = () => document.querySelector('main [role="alert"]')?.textContent
  await expect.poll(failure).toBeTruthy()
  expect(app.store.getState().toast).toBeUndefined()
})

test.each([
  ...(['AccountSettings', 'Allowances', 'Buy', 'Names'] as const),
  ...(['SmartSessionList', 'Swap', 'Transactions'] as const),
])('behavior: without an account, %s says so', async (name) => {
  await show(name)
  await expect.element(page.getByText('You are not connected')).toBeVisible()
})

test('behavior: the list of connected wallets on a page opens the modal on the wallets to connect', async () => {
  const app = await show('ConnectedWallets')
  await signIn(app)
  await page.getByRole('button', { name: 'Connect another wallet' }).click()
  await expect
    .element(page.getByRole('dialog').getByRole('button', { name: /^Fieldwork/ }))
    .toBeVisible()
})
