import { latchkeyOne, openModal, type SignatureReview } from '@latchkey/core'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { testApp } from '../testApp.ts'

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

test('row 14: typed data never comes without a warning, because only its names are known', async () => {
  expect(await warningsOf(typedData(false))).toEqual([
    expect.stringContaining('cannot tell what this data allows'),
  ])
  expect(await warningsOf(typedData(true))).toHaveLength(2)
})

test('row 14: a call by its name is a warning too, unless it only sends', async () => {
  expect(await warningsOf(transaction('transfer', false))).toEqual([])
  expect(await warningsOf(transaction('approve', true))).toEqual([
    expect.stringContaining('what another account may take'),
  ])
})
