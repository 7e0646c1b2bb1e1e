import { isConnected, openModal } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/wire'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import type { FrameScript } from '../frame/main.ts'
import { testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let script: FrameScript
beforeEach(() => {
  script = { calls: [], answers: {} }
  Object.assign(window, { frameScript: script })
})

const addressOf = (digit: string) => `0x${digit.repeat(40)}`
const plain = {
  address: addressOf('1'),
  name: 'Plain',
  symbol: 'PLN',
  decimals: 6,
  balance: '0x1e8480',
}

/** The tokens of the account of a user who has just logged in. */
async function show() {
  script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
  const app = testApp({ frameUrl: location.origin })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app)
  await page.getByRole('textbox', { name: 'Email address' }).fill('ada@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app, { view: { name: 'Account', tab: 'tokens' } })
}

const list = () => page.getByRole('region', { name: 'Tokens you added on this site' })
const rows = () => list().getByRole('listitem')

test('default: added tokens with their balances, and a warning for a token that is not what its name suggests', async () => {
  script.answers.APP_GET_TOKENS = () => ({
    tokens: [
      plain,
      { ...plain, address: addressOf('2'), name: 'USD Coin', symbol: 'USDC', mark: 'copy' },
      { address: addressOf('3'), decimals: 6, balance: '0x1', mark: 'bait' },
      { address: addressOf('4') },
    ],
  })
  await show()
  await expect.element(rows().nth(0)).toHaveTextContent(/Plain.*PLN · 0x11….*2\.000/)
  await expect.element(rows().nth(1)).toHaveTextContent(/It is not that token/)
  await expect.element(rows().nth(2)).toHaveTextContent(/Name not shown.*looks like an invitation/)
  await expect.element(rows().nth(3)).toHaveTextContent(/could not be read/)
  expect(await violations()).toEqual([])
})

test('behavior: the keyboard removes a token, the focus goes to the list, and it is said', async () => {
  let tokens = [plain, { ...plain, address: addressOf('2'), symbol: 'TWO' }]
  const removed: unknown[] = []
  script.answers.APP_GET_TOKENS = () => ({ tokens })
  script.answers.APP_REMOVE_TOKEN = (asked) => {
    removed.push(asked)
    tokens = tokens.slice(1)
    return {}
  }
  await show()
  const remove = list().getByRole('button', { name: /^Remove PLN 0x11/ })
  await expect.element(remove).toBeVisible()
  ;(remove.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(list().getByRole('status')).toHaveTextContent(/PLN.*was removed/)
  expect(rows().elements()).toHaveLength(1)
  expect(removed).toEqual([{ chainId: 31337, address: addressOf('1') }])
  await expect.poll(() => document.activeElement?.textContent).toBe('Tokens you added on this site')
  expect(await violations()).toEqual([])
})

test('error: a failed list can be loaded again, and a token that cannot be removed stays', async () => {
  script.answers.APP_GET_TOKENS = () => {
    throw new LatchkeyError('UNAUTHORIZED')
  }
  await show()
  await expect.element(page.getByText('Your added tokens could not be loaded')).toBeVisible()
  script.answers.APP_GET_TOKENS = () => ({ tokens: [plain] })
  script.answers.APP_REMOVE_TOKEN = () => {
    throw new LatchkeyError('UNAUTHORIZED')
  }
  await page
    .getByText('could not be loaded')
    .element()
    .parentElement?.querySelector('button')
    ?.click()
  await rows().nth(0).getByRole('button').click()
  await expect.element(list().getByRole('alert')).toHaveTextContent('could not be removed')
  expect(rows().elements()).toHaveLength(1)
})

test('default: nothing is shown if no token was added', async () => {
  await show()
  await expect.poll(() => script.calls).toContain('APP_GET_TOKENS')
  expect(list().elements()).toHaveLength(0)
})
