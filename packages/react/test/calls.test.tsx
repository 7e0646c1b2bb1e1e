import { connect, latchkeyOne, showCallsStatus } from '@latchkey/core/internal'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { announce, createFakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const id = `0x${'cd'.repeat(32)}`
const hashes = [`0x${'ab'.repeat(32)}`, `0x${'ef'.repeat(32)}`]
let silence = () => {}
afterEach(() => silence())

/** Shows a batch of a wallet that only returns its status. */
async function show(status: () => object) {
  const wallet = createFakeWallet()
  wallet.answers.wallet_getCallsStatus = status
  silence = announce([{ name: 'Fieldwork', wallet }])
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  await showCallsStatus(app, { id })
  return page.getByRole('dialog')
}

test('default: follows a batch until it has completed, with its network and transaction', async () => {
  let answer: object = { status: 100, atomic: true, chainId: '0x7a69' }
  const dialog = await show(() => answer)
  await expect.element(dialog.getByText('Waiting for the network')).toBeVisible()
  await expect.element(dialog.getByText('As one: all or nothing')).toBeVisible()
  await expect.element(dialog.getByText(latchkeyOne.name)).toBeVisible()
  answer = { ...answer, status: 200, receipts: [{ transactionHash: hashes[0], status: '0x1' }] }
  await expect.element(dialog.getByText('All done')).toBeVisible()
  await expect.element(dialog.getByText('Transaction', { exact: true })).toBeVisible()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('behavior: what took effect only in part is an alert that names every transaction', async () => {
  const receipts = hashes.map((transactionHash, index) => ({
    transactionHash,
    status: `0x${index}`,
  }))
  const dialog = await show(() => ({ status: 600, chainId: '0x7a69', receipts }))
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Only a part took effect')
  await expect.element(dialog.getByText('One after another')).toBeVisible()
  await expect.element(dialog.getByText('Transaction 2')).toBeVisible()
})
