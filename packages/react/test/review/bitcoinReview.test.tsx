import { bitcoin, openModal, type TransactionReview } from '@latchkey/core/internal'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const own = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
const stranger = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const safe: TransactionReview = {
  chainId: bitcoin.caipNetworkId,
  inputs: [{ address: own, value: 100_000n, isOwn: true, isSigned: true }],
  outputs: [
    { address: stranger, value: 20_000n, isOwn: false },
    { address: own, value: 79_000n, isOwn: true },
    { address: undefined, data: 'hello', value: 0n, isOwn: false },
  ],
  leaves: 21_000n,
  fee: 1_000n,
  feeRate: 7.04,
  dangers: [],
}

async function review(changes: Partial<TransactionReview> = {}, paid: readonly string[] = []) {
  const app = testApp({ networks: [bitcoin] })
  if (paid.length > 0) app.storage.set('recipients', [...paid])
  const approve = vi.fn()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  const reading = Promise.resolve({ ...safe, ...changes })
  openModal(app, { view: { name: 'ReviewTransaction', reading, approve } })
  const dialog = page.getByRole('dialog')
  const question = dialog.getByRole('heading', { name: /leaves your account$/ })
  await expect.element(question).toBeVisible()
  return { app, approve, dialog }
}

test('default: outputs and inputs with whole addresses, change, fee and rate; approved once', async () => {
  const { app, approve, dialog } = await review()
  const outputs = dialog.getByRole('region', { name: 'Pays 3 outputs' }).getByRole('listitem')
  expect(outputs.elements().map(({ textContent }) => textContent)).toEqual([
    `0.0002 BTC${stranger}`,
    `0.00079 BTCBack to you${own}`,
    '0 BTCNo address: hello',
  ])
  const inputs = dialog.getByRole('region', { name: 'Spends 1 input' })
  await expect.element(inputs).toHaveTextContent(`0.001 BTCYou sign${own}`)
  await expect.element(dialog.getByText('0.00001 BTC', { exact: true })).toBeVisible()
  await expect.element(dialog.getByText('7.1 sat/vB')).toBeVisible()
  expect(dialog.getByRole('list', { name: 'Warnings' }).query()).toBeNull()
  expect(await violations()).toEqual([])
  const button = dialog.getByRole('button', { name: 'Continue in wallet' })
  await button.click()
  await dialog.getByRole('button', { name: 'Confirm in your wallet' }).click({ force: true })
  expect(approve).toHaveBeenCalledOnce()
  app.destroy()
})

test('error: dangers stand first, and refusing closes', async () => {
  const { app, approve, dialog } = await review({
    dangers: ['outputsChangeable', 'falseChange', 'nothingBack', 'feeHigh', 'unproven'],
    outputs: [{ address: stranger, value: 99_000n, isOwn: false }],
  })
  const warnings = dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem')
  expect(warnings.elements()).toHaveLength(5)
  await expect.element(dialog.getByText('Fee, according to the app')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Sign anyway' })).toBeVisible()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  expect(app.store.getState().modal.open).toBe(false)
  expect(approve).not.toHaveBeenCalled()
  app.destroy()
})

test('behavior: a request that takes the place of another shows nothing of the other', async () => {
  const { app, dialog } = await review()
  await expect.element(dialog.getByText('0.0002 BTC', { exact: true })).toBeVisible()
  const reading = Promise.resolve({ ...safe, leaves: 5_000_000n, outputs: [] })
  const approve = vi.fn()
  openModal(app, { view: { name: 'ReviewTransaction', reading, approve } })
  await expect.element(dialog.getByText('0.05 BTC', { exact: true })).toBeVisible()
  expect(dialog.getByText('0.0002 BTC', { exact: true }).query()).toBeNull()
  await dialog.getByRole('button', { name: 'Continue in wallet' }).click()
  expect(approve).toHaveBeenCalledOnce()
  app.destroy()
})

test('behavior: warns of an output whose address resembles an address that this browser has paid', async () => {
  const alike = `${stranger.slice(0, 6)}${'q'.repeat(30)}${stranger.slice(-6)}`
  const outputs = [alike, stranger].map((address) => ({ address, value: 10_000n, isOwn: false }))
  const { app, dialog } = await review({ outputs }, [stranger])
  const warnings = dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem')
  await expect
    .element(warnings)
    .toHaveTextContent(
      `${alike} looks like ${stranger}, which you know, but is a different address. Compare every character.`,
    )
  await expect.element(dialog.getByRole('button', { name: 'Sign anyway' })).toBeVisible()
  app.destroy()
})
