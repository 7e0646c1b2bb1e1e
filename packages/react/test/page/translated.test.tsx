import { openModal } from '@latchkey/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, NetworkButton } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from '../testApp.ts'

let wallet: FakeWallet
const ends: (() => void)[] = []

beforeEach(() => {
  wallet = createFakeWallet()
  ends.push(announce([{ name: 'Fieldwork', wallet }]), translate())
})

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/**
 * Imitates a browser's translation from now on: each text node is replaced by
 * `<font><font>…</font></font>`.
 */
function translate(): () => void {
  const replace = (node: Node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    for (let at = texts.nextNode() ?? node; at; at = texts.nextNode() as Node)
      if (at instanceof Text) found.push(at)
    for (const text of found) {
      const parent = text.parentElement
      if (!parent || !/\p{L}/u.test(text.data)) continue
      if (parent.closest('font, style, script, textarea, [translate="no"]')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(`«${text.data}»`)
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  replace(document.body)
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes)
      for (const node of type === 'characterData' ? [target] : addedNodes)
        if (node.isConnected) replace(node)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  return () => observer.disconnect()
}

const dialog = () => page.getByRole('dialog')
const press = (name: RegExp) => dialog().getByRole('button', { name }).first().click()

test('behavior: the modal keeps working and shows what is new while the browser translates it', async () => {
  const failed = vi.spyOn(console, 'error')
  const app = testApp()
  const { unmount } = await render(
    <LatchkeyProvider app={app}>
      <NetworkButton />
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: /Connect wallet/ }).click()
  await press(/Fieldwork/)
  const label = page.getByRole('button', { name: /Account/ })
  await expect.element(label).toHaveTextContent(/0xf3…b92266.*10,000\.000 ETH/i)
  wallet.emit('accountsChanged', [bob])
  await expect.element(label).toHaveTextContent(/0x70…dc79c8/i)
  wallet.emit('accountsChanged', [alice])
  await label.click()
  for (const name of [/Activity/, /Tokens/]) await dialog().getByRole('tab', { name }).click()
  await press(/Send/)
  await dialog().getByRole('textbox').first().fill('1.5')
  await dialog().getByRole('textbox').last().fill('not an address')
  await dialog().getByRole('textbox').last().fill(bob)
  await press(/Review/)
  await expect.element(dialog()).toHaveTextContent('1.5')
  await press(/Back/)
  await press(/Back/)
  await press(/Swap|Receive/)
  await press(/Back/)
  openModal(app, { view: { name: 'Networks' } })
  await press(/Latchkey Two/)
  openModal(app)
  await press(/Disconnect/)
  await expect.element(page.getByRole('button', { name: /Connect wallet/ })).toBeVisible()
  await unmount()
  expect(failed).not.toHaveBeenCalled()
  expect(document.body.textContent).not.toContain('could not be')
})

test('behavior: a view whose nodes were moved is drawn again', async () => {
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: /Connect wallet/ }).click()
  await press(/Fieldwork/)
  await page.getByRole('button', { name: /Account/ }).click()
  await expect.element(dialog().getByRole('tablist')).toBeVisible()
  const view = dialog().getByRole('tablist').element().parentElement
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
  // The browser took its parts out of the page, and React still wants to remove them.
  for (const gone of [...(view?.querySelectorAll('*') ?? [])].reverse()) gone.remove()
  wallet.emit('accountsChanged', [bob])
  await expect.element(dialog().getByRole('tablist')).toBeVisible()
  expect(failed).toHaveBeenCalled()
  expect(dialog().getByRole('alert').elements()).toEqual([])
  failed.mockRestore()
})
