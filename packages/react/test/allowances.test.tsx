import { connect, openModal } from '@latchkey/core'
import type { Allowance } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { refuse } from './fakes/fakeWallet.ts'
import { announce, bob, createFakeWallet, type FakeWallet, nodeAnswer, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const items = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const chainId = 'eip155:31337'
const dayMs = 86_400_000

const dollars: Allowance = {
  kind: 'erc20',
  token: { address: `${chainId}:${token}`, name: 'Test Dollar', symbol: 'TUSD', iconUrl: null },
  tokenId: null,
  spender: bob,
  spenderName: null,
  amount: '12.5',
  balance: '1250.5',
  isUnlimited: false,
  changedAt: new Date(Date.now() - 900 * dayMs).toISOString(),
  expiresAt: null,
  isSpam: false,
}
const pictures: Allowance = {
  ...dollars,
  kind: 'operator',
  token: { address: `${chainId}:${items}`, name: 'Pictures', symbol: 'PIC', iconUrl: null },
  spenderName: 'Uniswap',
  amount: null,
}
const everything: Allowance = { ...dollars, kind: 'permit2', isUnlimited: true }

/** The server's data, which a test changes. */
type Known = { list: readonly Allowance[]; isComplete?: boolean; next?: Record<string, Allowance> }

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

type Answers = NonNullable<Parameters<typeof testApp>[1]>

async function show(known: Known, answers: Answers = {}) {
  const other = (url: URL) => {
    if (!url.pathname.endsWith('/allowances')) return undefined
    const cursor = url.searchParams.get('cursor')
    const more = cursor === null ? undefined : known.next?.[cursor]
    const sync = { complete: known.isComplete ?? true, progress: 1, since: null }
    if (cursor !== null) return { data: more ? [more] : [], next: null, sync }
    return { data: known.list, next: Object.keys(known.next ?? {})[0] ?? null, sync }
  }
  const app = testApp({}, { other, rpc, ...answers })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'Allowances' } })
  return app
}

/** A node whose tokens report an allowance. */
const rpc = (method: string, params: unknown) =>
  method === 'eth_call' ? '0x1' : nodeAnswer(method, params)

const dialog = () => page.getByRole('dialog')
const box = (name: RegExp) => dialog().getByRole('checkbox', { name })
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const sent = () =>
  wallet.calls.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params)

/** The descriptions of the amounts that spenders can take, by row. */
const taken = () =>
  dialog()
    .getByRole('listitem')
    .elements()
    .map((row) => /Can take [^)]*\)|Nothing now[^T]*arrives/.exec(row.textContent ?? '')?.[0])

test('default: what is allowed, to whom and how much', async () => {
  await show({ list: [dollars, pictures, everything] })
  await expect
    .element(
      box(/^TUSD 12\.5 ?Can take 12\.5 TUSD \(\$12\.50\) ?To 0x70…dc79C8 · changed 2 yr ago$/),
    )
    .toBeVisible()
  await expect
    .element(box(/^PIC All NFTs ?Can take all your PIC NFTs \(no price known\) ?To Uniswap/))
    .toBeVisible()
  await expect
    .element(
      box(
        /^TUSD Unlimited ?Can take all your TUSD \(\$1,250\.50\) ?To 0x70…dc79C8 via Permit2.*No limit for over 90 days$/,
      ),
    )
    .toBeVisible()
  await expect.element(dialog().getByText('1 app can take at least $1,250.50')).toBeVisible()
  await expect.element(dialog().getByText('This can be taken from your account')).toBeVisible()
  await expect.element(button(`Copy Address of ${bob}`).first()).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: the riskiest are first, and the sum counts a balance once', async () => {
  const nothing = { ...everything, balance: '0', spender: items }
  const few = { ...dollars, amount: '7', spender: token }
  await show({ list: [nothing, few, dollars, everything] })
  await expect
    .poll(taken)
    .toEqual([
      'Can take all your TUSD ($1,250.50)',
      'Can take 12.5 TUSD ($12.50)',
      'Can take 7 TUSD ($7.00)',
      'Nothing now; it could take what arrives',
    ])
  await expect.element(dialog().getByText('2 apps can take $1,250.50')).toBeVisible()
})

test('behavior: an unknown balance is neither nothing nor a sum', async () => {
  const unknown = { ...dollars, balance: undefined }
  await show({ list: [unknown, { ...unknown, isUnlimited: true, spender: items }] })
  await expect.element(box(/Can take up to 12\.5 TUSD \(your balance is unknown\)/)).toBeVisible()
  await expect.element(box(/Can take an unknown amount of TUSD/)).toBeVisible()
  await expect.element(dialog().getByText('2 apps can take assets of unknown value')).toBeVisible()
})

test('default: revokes an allowance, which disappears', async () => {
  const known: Known = { list: [dollars, pictures] }
  wallet.answers.eth_sendTransaction = () => {
    known.list = [pictures]
    return `0x${'ab'.repeat(32)}`
  }
  await show(known)
  await box(/^TUSD/).click()
  await button('Revoke 1').click()
  await expect.element(box(/^TUSD/)).not.toBeInTheDocument()
  await expect.element(page.getByText('Allowance revoked')).toBeVisible()
  const data = `0x095ea7b3${bob.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`
  expect(sent()).toMatchObject([[{ to: token, data, value: '0x0' }]])
  await expect.element(box(/^PIC/)).toBeEnabled()
})

test('behavior: revokes several one after another, by keyboard', async () => {
  await show({ list: [dollars, pictures, everything] })
  const first = box(/^TUSD 12/)
  await expect.element(first).toBeVisible()
  ;(first.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await box(/^PIC/).click()
  await box(/via Permit2/).click()
  // While the fee is read, a press does nothing.
  await expect.element(button('Revoke 3')).not.toHaveAttribute('aria-busy')
  ;(button('Revoke 3').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => sent().length).toBe(3)
  await expect.element(page.getByText('3 allowances revoked')).toBeVisible()
})

test('behavior: a wallet that can do so takes several as one', async () => {
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
  wallet.answers.wallet_sendCalls = () => ({ id: '0x1' })
  wallet.answers.wallet_getCallsStatus = () => ({ status: 200, atomic: true, receipts: [] })
  await show({ list: [dollars, pictures] })
  await box(/^TUSD/).click()
  await box(/^PIC/).click()
  await expect.element(dialog().getByText('In one transaction: all or nothing')).toBeVisible()
  await button('Revoke 2').click()
  await expect.element(page.getByText('2 allowances revoked')).toBeVisible()
  const batch = wallet.calls.find(({ method }) => method === 'wallet_sendCalls')
  expect(batch?.params).toMatchObject([
    { atomicRequired: true, calls: [{ to: token }, { to: items }] },
  ])
  expect(sent()).toEqual([])
})

test('behavior: the fee is shown before the wallet prompts', async () => {
  await show({ list: [dollars] })
  await box(/^TUSD/).click()
  await expect.element(dialog().getByText('Network fee, up to')).toBeVisible()
  await expect.element(dialog().getByText(/ETH/)).toBeVisible()
  expect(sent()).toEqual([])
})

test('behavior: likely spam is folded and explained', async () => {
  await show({ list: [dollars, { ...pictures, isSpam: true }] })
  await expect.element(box(/^TUSD/)).toBeVisible()
  await expect.element(box(/^PIC/)).not.toBeInTheDocument()
  await dialog().getByText('1 that looks like spam').click()
  await expect.element(box(/^PIC/)).toBeVisible()
})

test('behavior: more are loaded when asked for', async () => {
  await show({ list: [dollars], next: { more: pictures } })
  await button('Load more').click()
  await expect.element(box(/^PIC/)).toBeVisible()
  await expect.element(button('Load more')).not.toBeInTheDocument()
})

test('behavior: nothing, and nothing yet', async () => {
  const known: Known = { list: [], isComplete: false }
  await show(known)
  await expect.element(dialog().getByText('Looking for allowances')).toBeVisible()
  known.isComplete = true
  await expect.element(dialog().getByText('No allowances')).toBeVisible()
})

test('error: the wallet declines', async () => {
  wallet.answers.eth_sendTransaction = () => refuse()
  await show({ list: [dollars] })
  await box(/^TUSD/).click()
  await button('Revoke 1').click()
  await expect.element(dialog().getByText(/You declined/)).toBeVisible()
  await expect.element(box(/^TUSD/)).toBeChecked()
})

test('error: a contract that refuses causes no request', async () => {
  const rpc = (method: string) => {
    if (method === 'eth_estimateGas') throw new Error('execution reverted')
    return method === 'eth_getBalance' ? '0x21e19e0c9bab2400000' : '0x1'
  }
  await show({ list: [dollars] }, { rpc })
  await box(/^TUSD/).click()
  await expect.element(button('Try again')).toBeVisible()
  expect(sent()).toEqual([])
})

test('error: the list cannot be loaded, then it can', async () => {
  let isAway = true
  const known: Known = { list: [dollars] }
  await show(known, {
    other: (url) => {
      if (!url.pathname.endsWith('/allowances')) return undefined
      if (isAway) return new Response('', { status: 400 })
      return { data: known.list, next: null }
    },
  })
  await expect.element(dialog().getByText('Allowances could not be loaded')).toBeVisible()
  isAway = false
  await button('Try again').click()
  await expect.element(box(/^TUSD/)).toBeVisible()
})
