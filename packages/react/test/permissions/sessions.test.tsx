import { connect, openModal } from '@latchkey/core'
import type { SessionEntry } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const items = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
const nowMs = Date.parse('2026-03-05T10:00:00Z')
const until = (date: string) =>
  `Until ${new Date(date).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`

const dollars: SessionEntry = {
  project: { id: 'local', name: 'Shop', url: null, iconUrl: null },
  pci: '00000000-0000-4000-8000-000000000001',
  origin: 'https://shop.example',
  chainId: 'eip155:31337',
  expiry: Date.parse('2026-03-09T10:00:00Z') / 1_000,
  createdAt: nowMs,
  permissions: [
    {
      type: 'erc20-recurring-allowance',
      data: { token, allowance: '0xbebc20', start: nowMs / 1_000, period: 7 * 86_400 },
    },
  ],
  policies: [],
  context: null,
  revokedAt: null,
  uses: [{ index: 0, used: '2500000' }],
  delegate: bob,
}
const calls: SessionEntry = {
  ...dollars,
  pci: '00000000-0000-4000-8000-000000000002',
  origin: null,
  project: { ...dollars.project, name: 'Market' },
  permissions: [
    {
      type: 'contract-call',
      data: {
        address: items,
        abi: [
          {
            type: 'function',
            name: 'buy',
            inputs: [{ type: 'address' }, { type: 'uint256' }, { type: 'uint8' }],
          },
          { type: 'function', name: 'close', inputs: [] },
        ],
        functions: [
          {
            functionName: 'buy',
            args: [
              { operator: 'EQUAL', value: alice },
              { operator: 'LESS_THAN', value: '0x3e8' },
              { operator: 'GREATER_THAN', value: 4 },
            ],
            valueLimit: '0x16345785d8a0000',
          },
          { functionName: 'close' },
        ],
      },
    },
    {
      type: 'native-token-recurring-allowance',
      data: { allowance: '0xde0b6b3a7640000', start: nowMs / 1_000, period: 60 },
    },
  ],
  // The selectors decide: the two functions come before the allowance.
  uses: [{ index: 2, used: '250000000000000000' }],
}
const over: SessionEntry = {
  ...dollars,
  pci: '00000000-0000-4000-8000-000000000003',
  origin: 'https://old.example',
  expiry: Date.parse('2026-03-05T09:59:59Z') / 1_000,
  uses: [],
}

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

/** Opens the view; the server has `known.pcis`, or fails while it is undefined. */
async function show(known: { pcis?: readonly SessionEntry[] }) {
  const other = (url: URL) => {
    if (!url.pathname.startsWith('/v1/sessions/')) return undefined
    return known.pcis ? { pcis: known.pcis } : new Response('{}', { status: 500 })
  }
  const app = testApp({}, { other }, { now: () => nowMs })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'SmartSessionList' } })
}

const dialog = () => page.getByRole('dialog')
const session = (who: string) => dialog().getByRole('listitem').filter({ hasText: who })
const texts = (who: string) =>
  [...session(who).first().element().querySelectorAll('li')].map(({ childNodes }) =>
    [...childNodes].map(({ textContent }) => textContent),
  )

test('default: each session says who has it, until when, and each limit that its approval showed', async () => {
  await page.viewport(390, 844)
  await show({ pcis: [dollars, calls, over] })
  const shop = session('https://shop.example').first()
  await expect.element(shop.getByText('Active')).toBeVisible()
  await expect.element(shop.getByText(until('2026-03-09T10:00:00Z'))).toBeVisible()
  await expect
    .poll(() => texts('https://shop.example'))
    .toEqual([['Up to 12.5 TUSD every 7 days', '2.5 TUSD of 12.5 TUSD used in this period']])
  // Without an origin, the name of its project identifies the holder.
  await expect
    .poll(() => texts('Market'))
    .toEqual([
      [
        'Calls buy(address,uint256,uint8) of 0xe7…3f0512',
        'Up to 0.1 ETH with each call',
        `Argument 1 (address) is ${alice.toLowerCase()}`,
        'Argument 2 (uint256) is less than 1000',
        'Argument 3 (uint8) is more than 4',
        'Argument 3 (uint8) is less than 256',
        'The app chooses all other arguments',
      ],
      ['Calls close() of 0xe7…3f0512', 'Up to 0 ETH with each call'],
      ['Up to 1 ETH every 60 seconds', '0.25 ETH of 1 ETH used in this period'],
    ])
  const old = session('https://old.example').first()
  await expect.element(old.getByText('Expired')).toBeVisible()
  await expect.element(old.getByText(until('2026-03-05T09:59:59Z'))).toBeVisible()
  await expect
    .poll(
      () =>
        dialog()
          .getByRole('button', { name: /^Revoke/ })
          .elements().length,
    )
    .toBe(2)
  await expect.element(old.getByRole('button')).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await violations()).toEqual([])
})

test('behavior: without sessions, the view says so', async () => {
  await show({ pcis: [] })
  await expect.element(dialog().getByText('No smart sessions')).toBeVisible()
})

test('error: a failed list can be loaded again, and an unreadable session can be revoked', async () => {
  const known: Parameters<typeof show>[0] = {}
  await show(known)
  await expect.element(dialog().getByText('Smart sessions could not be loaded')).toBeVisible()
  known.pcis = [{ ...dollars, permissions: [unreadable] }]
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await expect.element(dialog().getByText(/^Its permissions could not be read/)).toBeVisible()
  await expect.element(dialog().getByRole('button', { name: /^Revoke/ })).toBeVisible()
})

/** A limit that no chain enforces: an argument that is not there. */
const unreadable: SessionEntry['permissions'][number] = {
  type: 'contract-call',
  data: {
    address: items,
    abi: [{ type: 'function', name: 'close', inputs: [] }],
    functions: [{ functionName: 'close', args: [{ operator: 'EQUAL', value: 1 }] }],
  },
}
