import { connect, openModal, setSendDraft, type View } from '@latchkey/core'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, type Messages, NetworkButton, Provider } from '../src/index.ts'
import { en } from '../src/locales/en.ts'
import { enActivity } from '../src/locales/enActivity.ts'
import '../src/theme.css'
import { createFakePairing } from './fakePairing.ts'
import { announce, bob, createFakeWallet, testApp } from './testApp.ts'

afterEach(() => {
  document.documentElement.dir = 'ltr'
  return page.viewport(1280, 860)
})

const german = 'Donaudampfschifffahrtsgesellschaft'
const arabic = 'المحفظة الرقمية للعملات'

/** Every text with words of another language behind it: longer than any translation will be. */
const lengthened = (words: string): Messages =>
  Object.fromEntries(
    Object.entries({ ...en, ...enActivity }).map(([key, text]) => [
      key,
      typeof text === 'string' ? `${text} ${words}` : { other: `${text.other} ${words}` },
    ]),
  ) as Messages

/** Directory id of a wallet that can be reached by every way. */
const cedar = '2'.padStart(64, '0')

const views: View[] = [
  { name: 'Connect' },
  { name: 'AllWallets' },
  { name: 'Account' },
  { name: 'Account', tab: 'activity' },
  { name: 'Transactions' },
  { name: 'Networks' },
  { name: 'UnsupportedChain' },
  { name: 'Send' },
  { name: 'SendSelectToken' },
  { name: 'SendPreview' },
  { name: 'Receive' },
  { name: 'WhatIsAWallet' },
  { name: 'WhatIsANetwork' },
  { name: 'GetAWallet' },
  { name: 'ConnectingWalletConnectBasic' },
  { name: 'ConnectingWalletConnect', walletId: cedar },
]

/** What reaches over an edge of the sheet. */
const overflowing = () => {
  const dialog = document.querySelector('dialog') as HTMLElement
  const edge = dialog.getBoundingClientRect()
  return [...dialog.querySelectorAll('*')]
    .filter((node) => {
      const { left, right, width, height } = node.getBoundingClientRect()
      return width > 1 && height > 1 && (left < edge.left - 1 || right > edge.right + 1)
    })
    .map((node) => `${node.tagName} ${node.textContent?.slice(0, 60)}`)
}

describe.each([
  ['ltr', german],
  ['rtl', arabic],
])('%s', (direction, words) => {
  test.each(views)('behavior: $name holds long words on a phone', async (view) => {
    await page.viewport(390, 844)
    document.documentElement.dir = direction
    const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
    const pairing = createFakePairing({ firstUri: `wc:${'a'.repeat(64)}@2` })
    const app = testApp({}, {}, { pairing })
    await connect(app, { connectorId: app.store.getState().connectors.at(-1)?.id ?? '' })
    setSendDraft(app, { amount: '1', receiverAddress: bob })
    await render(
      <Provider app={app} messages={lengthened(words)}>
        <NetworkButton />
        <ConnectButton />
      </Provider>,
    )
    openModal(app, { view })
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await expect.element(page.getByRole('dialog').getByText(words).last()).toBeVisible()
    await expect.poll(overflowing).toEqual([])
    silence()
  })
})
