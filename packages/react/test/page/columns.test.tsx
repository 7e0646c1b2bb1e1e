import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { hang } from '../fakes/fakeWallet.ts'
import { announce, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const explanation = () => dialog().getByText('A home for what you own')
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
