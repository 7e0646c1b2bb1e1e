import { connect, latchkeyOne, openModal, type SignatureReview } from '@latchkey/core/internal'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, testApp } from '../testApp.ts'

const place = {
  chainId: latchkeyOne.caipNetworkId,
  address: '0x1111111111111111111111111111111111111111',
}
const hash = `0x${'11'.repeat(32)}`

/** The warnings of a review. */
async function warningsOf(review: SignatureReview): Promise<(string | null)[]> {
  const app = testApp({ networks: [latchkeyOne] })
  const { unmount } = await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  const view = { name: 'ReviewTransaction', reading: Promise.resolve(review), approve: () => {} }
  openModal(app, { view: view as never })
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Compare it with what the device shows')).toBeVisible()
  const warnings = dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem')
  const texts = warnings.elements().map(({ textContent }) => textContent)
  app.destroy()
  await unmount()
  return texts
}

const typedData = (isUnlimited: boolean): SignatureReview => ({
  ...{ ...place, kind: 'typedData', primaryType: 'Note', isUnlimited },
  ...{ domain: [], rows: [{ name: 'text', value: 'Hi' }], domainHash: hash, messageHash: hash },
})

const transaction = (name: string, changesRights: boolean): SignatureReview => ({
  ...{ ...place, kind: 'transaction', to: place.address, valueWei: 0n, maxFeeWei: 1n },
  ...{ nonce: undefined, accessList: [], data: '0x12345678' },
  call: { name, rows: [{ name: 'amount', value: '5' }], isUnlimited: false, changesRights },
})

test('undo: typed data never comes without a warning, because only its names are known', async () => {
  expect(await warningsOf(typedData(false))).toEqual([
    expect.stringContaining('cannot tell what this data allows'),
  ])
  expect(await warningsOf(typedData(true))).toHaveLength(2)
})

test('undo: a call by its name is a warning too, unless it only sends', async () => {
  expect(await warningsOf(transaction('transfer', false))).toEqual([])
  expect(await warningsOf(transaction('approve', true))).toEqual([
    expect.stringContaining('what another account may take'),
  ])
})

const lookalike = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`
const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const nothing = { data: undefined, call: undefined }
const data = (...parts: readonly string[]) => `0x12345678${parts.join('')}`
const rows = (values: readonly string[]) => values.map((value, at) => ({ name: `v${at}`, value }))
const sends = (changes: object): SignatureReview =>
  ({ ...transaction('transfer', false), ...changes }) as SignatureReview
const signs = (values: readonly string[]): SignatureReview =>
  ({ ...typedData(false), rows: rows(values) }) as SignatureReview

/** An account that has paid Bob, in the server's list. */
const paid = {
  id: 'a1',
  metadata: {
    ...{ operationType: 'send', hash: '0xa1', minedAt: new Date().toISOString(), nonce: 1 },
    ...{ sentFrom: alice, sentTo: bob, status: 'confirmed', chain: 'eip155:31337' },
  },
  transfers: [
    {
      fungible_info: { name: 'ETH', symbol: 'ETH' },
      direction: 'out',
      quantity: { numeric: '1' },
    },
  ],
}

test.each<[string, SignatureReview]>([
  ['a receiver', sends({ ...nothing, to: lookalike })],
  ['the receiver of a token', sends({ call: { rows: rows([bob, lookalike]) } })],
  ['the receiver in unread data', sends({ ...nothing, data: data(word(bob), word(lookalike)) })],
  ['a receiver in nested data', sends({ ...nothing, data: data('aabbccdd', word(lookalike)) })],
  ['a value of typed data', signs([lookalike.toLowerCase(), bob])],
  ['a message', { ...place, kind: 'message', isText: true, text: `Pay ${lookalike}.` }],
])('behavior: %s that looks like a known address is a warning', async (_, review) => {
  const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
  const history = () => ({ data: [paid], next: null })
  const app = testApp({ networks: [latchkeyOne] }, { history })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  const view = { name: 'ReviewTransaction', reading: Promise.resolve(review), approve: () => {} }
  openModal(app, { view: view as never })
  const dialog = page.getByRole('dialog')
  const warnings = dialog.getByRole('listitem').filter({ hasText: 'which you know' })
  await expect.element(warnings).toHaveTextContent(`looks like ${bob}, which you know`)
  await expect.element(dialog.getByRole('button', { name: 'Sign anyway' })).toBeVisible()
  silence()
  app.destroy()
})

const dollars = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const call = { rows: [], isUnlimited: false, changesRights: false }

test.each<[string, object, RegExp]>([
  [
    'its token',
    { to: dollars, call: { ...call, name: 'transfer', sent: 1_250_000n } },
    /^1\.25 TUSD leaves your account$/,
  ],
  [
    'the function, if its token is not held',
    { call: { ...call, name: 'transfer', sent: 5n } },
    /^Asks the contract to transfer$/,
  ],
  [
    'the native currency that it pays',
    { valueWei: 10n ** 18n, call: { ...call, name: 'approve' } },
    /^1 ETH leaves your account$/,
  ],
  [
    'both, if it sends a token too',
    {
      ...{ to: dollars, valueWei: 10n ** 18n },
      call: { ...call, name: 'transfer', sent: 1_250_000n },
    },
    /^1\.25 TUSD and 1 ETH leave your account$/,
  ],
])('behavior: the headline of a call that was read is %s, never 0', async (_, changes, text) => {
  const app = testApp({ networks: [latchkeyOne] })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  const reading = Promise.resolve(sends(changes))
  openModal(app, { view: { name: 'ReviewTransaction', reading, approve: () => {} } as never })
  const dialog = page.getByRole('dialog')
  const headline = () => dialog.getByRole('heading', { level: 3 }).first().element().textContent
  await expect.poll(headline).toMatch(text)
  expect(dialog.getByText('0 ETH', { exact: true }).query()).toBeNull()
  app.destroy()
})

test('behavior: typed data of thousands of values is drawn to its end', async () => {
  const review = signs(Array.from({ length: 3_000 }, (_, at) => String(at)))
  const app = testApp({ networks: [latchkeyOne] })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  const view = { name: 'ReviewTransaction', reading: Promise.resolve(review), approve: () => {} }
  openModal(app, { view: view as never })
  const values = page.getByRole('region', { name: 'Note' }).getByRole('listitem')
  await expect.poll(() => values.elements().length).toBe(3_000)
  expect(values.elements().at(-1)?.textContent).toBe('v29992999')
  app.destroy()
})
