import { connect, openModal } from '@latchkey/core'
import { activeConnection, isConnected } from '@latchkey/core/internal'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { announce, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const dialog = () => page.getByRole('dialog')
const line = () => dialog().getByText(/^Offline\. /)

function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

async function show() {
  onTestFinished(announce([{ name: 'Fieldwork', wallet: createFakeWallet() }]))
  onTestFinished(() => void vi.restoreAllMocks())
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'Account', tab: 'tokens' } })
  await expect.element(dialog().getByRole('listitem').nth(2)).toBeVisible()
  return app
}

test('behavior: without a network connection, one line says since when, until it is back', async () => {
  const app = await show()
  const connection = activeConnection(app.store.getState())
  const address = isConnected(connection) ? connection.account.address : undefined
  app.store.setState({ balancesFailedAtMs: { [`eip155:31337:${address}`]: Date.now() } })
  await expect.element(dialog().getByText('Token Balance Unavailable')).toBeVisible()
  expect(line().elements()).toEqual([])
  setOnline(false)
  await expect.element(line()).toHaveTextContent(/^Offline\. The balances were last read on .+\.$/)
  // The failure from before is nothing more to know.
  expect(dialog().getByText('Token Balance Unavailable').elements()).toEqual([])
  expect(await violations()).toEqual([])
  await dialog().getByRole('button', { name: 'Receive', exact: true }).click()
  await expect.element(dialog().getByRole('img', { name: 'QR code of your address' })).toBeVisible()
  await expect.element(line()).toBeVisible()
  setOnline(true)
  await expect.element(line()).not.toBeInTheDocument()
})
