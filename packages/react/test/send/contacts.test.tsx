import { connect, openModal, saveContact } from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void
beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(() => silence())

const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const field = () => dialog().getByRole('textbox', { name: 'To' })
const offers = () => dialog().getByRole('list', { name: 'Contacts and receivers used before' })

const toCarol = {
  id: 'a1',
  metadata: {
    ...{ operationType: 'send', hash: '0xa1', minedAt: new Date().toISOString() },
    ...{ sentFrom: alice, sentTo: carol, status: 'confirmed', nonce: 1, chain: 'eip155:31337' },
  },
  transfers: [
    {
      fungible_info: { name: 'ETH', symbol: 'ETH' },
      direction: 'out',
      quantity: { numeric: '1' },
    },
  ],
}

async function showSend() {
  const app = testApp({}, { history: () => ({ data: [toCarol], next: null }) })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'Send' } })
  await dialog().getByRole('textbox', { name: 'Amount' }).fill('1')
  return app
}

async function send() {
  await button('Review').click()
  const confirm = dialog().getByRole('button', { name: 'Send', exact: true })
  await expect.element(confirm).not.toHaveAttribute('aria-busy')
  await confirm.click()
  await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
}

test('default: a contact is chosen by a part of its name, and reviewed with its whole address', async () => {
  const app = await showSend()
  await saveContact(app, { name: 'Bob Builder', address: bob })
  await field().fill('bobb')
  await expect.element(dialog().getByText(/^Choose below/)).toBeVisible()
  expect(await violations()).toEqual([])
  await button(/^Bob Builder/).click()
  await expect.element(field()).toHaveValue(bob)
  await expect.element(field()).toHaveFocus()
  await expect.element(offers()).not.toBeInTheDocument()
  await expect.element(dialog().getByText('Bob Builder')).toBeVisible()
  await button('Review').click()
  const question = dialog().getByRole('heading', { level: 3 })
  await expect.element(question).toHaveTextContent(/^Send 1 ETH to Bob Builder\?$/)
  await expect.element(dialog().getByText(bob, { exact: true })).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Cancel').click()
  await send()
  await expect.element(dialog().getByText('Bob Builder')).toBeVisible()
  await expect.element(button('Save as contact')).not.toBeInTheDocument()
})

test('default: an address used before is offered, and saved as a contact after sending', async () => {
  const app = await showSend()
  await field().click()
  await button(/Used before$/).click()
  await expect.element(field()).toHaveValue(carol)
  await send()
  await button('Save as contact').click()
  const name = dialog().getByRole('textbox', { name: 'Name of the contact' })
  await expect.element(name).toHaveFocus()
  const save = dialog().getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect.element(dialog().getByText('Enter a name.')).toBeVisible()
  expect(await violations()).toEqual([])
  await name.fill('Carol')
  await save.click()
  await expect.element(dialog().getByText('Carol is a contact now.')).toBeVisible()
  expect(app.store.getState().contacts).toEqual([
    { namespace: 'eip155', name: 'Carol', address: carol },
  ])
})

test('security: an imitation is saved as a contact only after a warning with both addresses', async () => {
  const app = await showSend()
  const imitation = `${carol.slice(0, 6)}${'0'.repeat(30)}${carol.slice(-6)}`.toLowerCase()
  await field().fill(imitation)
  await send()
  await button('Save as contact').click()
  await dialog().getByRole('textbox', { name: 'Name of the contact' }).fill('Carol')
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  const warning = dialog()
    .getByRole('alert')
    .filter({ hasText: /^Not saved yet/ })
  await expect.element(warning).toHaveTextContent(carol)
  await expect.element(warning).toHaveTextContent(new RegExp(imitation, 'i'))
  expect(await violations()).toEqual([])
  expect(app.store.getState().contacts).toEqual([])
  await button('Save anyway').click()
  await expect.element(dialog().getByText('Carol is a contact now.')).toBeVisible()
  expect(app.store.getState().contacts).toHaveLength(1)
})

test('security: a contact called like a name does not take the place of that name', async () => {
  const app = await showSend()
  await saveContact(app, { name: 'bob.eth', address: carol })
  await field().fill('bob.eth')
  await expect.element(offers().getByText('bob.eth')).toBeVisible()
  expect(app.store.getState().sendDraft).toMatchObject({
    receiverAddress: '',
    receiverProfileName: 'bob.eth',
  })
  await expect.element(button('Review')).not.toBeInTheDocument()
})
