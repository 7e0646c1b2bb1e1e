import { connect, latchkeyOne, openModal, showError, showToast } from '@latchkey/core/internal'
import { LatchkeyError } from '@latchkey/wire'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, NetworkButton } from '../src/index.ts'
import { cookieToInitialState } from '../src/ssr.ts'
import '../src/theme.css'
import { announce, createFakeWallet, testApp } from './testApp.ts'

const ui = (app: ReturnType<typeof testApp>) => (
  <LatchkeyProvider app={app}>
    <NetworkButton />
    <ConnectButton />
  </LatchkeyProvider>
)

const touch = (type: string, clientY: number) => {
  const target = page.getByRole('dialog').getByRole('heading').first().element()
  const at = new Touch({ identifier: 1, target, clientX: 100, clientY })
  target.dispatchEvent(
    new TouchEvent(type, {
      bubbles: true,
      cancelable: true,
      touches: type === 'touchend' ? [] : [at],
      changedTouches: [at],
    }),
  )
}

describe('LatchkeyProvider', () => {
  test('behavior: hydrates what a server rendered, also with a saved connection', async () => {
    const served = renderToString(ui(testApp()))
    expect(served).not.toContain('style=')
    const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
    const app = testApp()
    const id = app.store.getState().connectors[0]?.id ?? ''
    await connect(app, { connectorId: id })
    const container = document.createElement('div')
    container.innerHTML = served
    document.body.append(container)
    const errors: unknown[] = []
    const root = hydrateRoot(container, ui(app), {
      onRecoverableError: (error) => errors.push(error),
    })
    await expect.element(page.getByRole('button', { name: 'Account 0xf3…b92266' })).toBeVisible()
    expect(errors).toEqual([])
    root.unmount()
    container.remove()
    silence()
  })

  test('param: initialState: the first HTML has the account, and hydrates without a difference', async () => {
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const initialState = cookieToInitialState(
      {},
      `latchkey.state=${encodeURIComponent(
        JSON.stringify({
          activeChainId: 'eip155:31338',
          connections: {
            eip155: {
              connectorId: 'gone',
              chainId: 'eip155:31338',
              accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
            },
          },
        }),
      )}`,
    )
    const served = renderToString(ui(testApp({ initialState })))
    expect(served).toContain('0xf3…b92266')
    expect(served).toContain('Latchkey Two')
    const container = document.createElement('div')
    container.innerHTML = served
    document.body.append(container)
    const errors: unknown[] = []
    const root = hydrateRoot(container, ui(testApp({ initialState })), {
      onRecoverableError: (error) => errors.push(error),
    })
    // This browser has no such connection.
    await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
    expect(errors).toEqual([])
    root.unmount()
    container.remove()
  })

  test('param: messages are loaded when they are a function', async () => {
    const messages = async () => ({ 'button.connect': 'Wallet verbinden' })
    await render(
      <LatchkeyProvider app={testApp()} locale="de" messages={messages}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    await expect.element(page.getByRole('button', { name: 'Wallet verbinden' })).toBeVisible()
  })

  test('param: messages: also of the alerts and toasts that core shows', async () => {
    const app = testApp()
    const messages = {
      'error.INVALID_APP_CONFIGURATION': 'Falsch eingerichtet',
      'alert.INVALID_APP_CONFIGURATION': '{origin} ist nicht erlaubt',
      'error.HISTORY_FAILED': 'Der Verlauf fehlt',
    }
    await render(
      <LatchkeyProvider app={app} locale="de" messages={messages}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    showError(
      app,
      new LatchkeyError('INVALID_APP_CONFIGURATION', { data: { origin: 'https://a.example' } }),
    )
    await expect.element(page.getByText('Falsch eingerichtet')).toBeVisible()
    await expect.element(page.getByText('https://a.example ist nicht erlaubt')).toBeVisible()
    showError(app, new LatchkeyError('HISTORY_FAILED'))
    await expect.element(page.getByText('Der Verlauf fehlt')).toBeVisible()
  })

  test('error: a view that breaks says so, and the page stays', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
    const app = testApp()
    await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
    // No language tag: the number formatter of the Account view throws.
    await render(
      <LatchkeyProvider app={app} locale="not a language">
        <ConnectButton />
      </LatchkeyProvider>,
    )
    openModal(app)
    await expect.element(page.getByText('Something went wrong here')).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.element(page.getByRole('button', { name: 'Account 0xf3…b92266' })).toBeVisible()
    errors.mockRestore()
    silence()
  })

  test('param: config makes a separate app', async () => {
    const config = {
      projectId: 'local',
      apiUrl: location.origin,
      networks: [latchkeyOne],
      modal: { themeMode: 'light' },
    } as const
    await render(
      <LatchkeyProvider config={config}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    const button = page.getByRole('button', { name: 'Connect wallet' })
    await expect.element(button).toBeVisible()
    expect(button.element().closest('[data-lk-theme]')?.getAttribute('data-lk-theme')).toBe('light')
  })

  test('error: hooks outside of it say so', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    await expect(render(<ConnectButton />)).rejects.toThrow(
      'Latchkey hooks need <LatchkeyProvider> above them',
    )
    quiet.mockRestore()
  })
})

describe('a bottom sheet', () => {
  test('behavior: a short pull springs back, a long one closes', async () => {
    await page.viewport(390, 844)
    const app = testApp()
    await render(ui(app))
    openModal(app)
    await expect.element(page.getByRole('dialog').getByText('All wallets')).toBeVisible()
    const isOpenAfterPull = (px: number) => {
      touch('touchstart', 300)
      touch('touchmove', 300 + px)
      touch('touchend', 300 + px)
      return app.store.getState().modal.open
    }
    expect(isOpenAfterPull(50)).toBe(true)
    // A view that has just appeared may not handle touch yet.
    await expect.poll(() => isOpenAfterPull(120)).toBe(false)
  })
})

describe('a toast', () => {
  test('behavior: is in the modal while that is open, otherwise on the page, and can be closed', async () => {
    const app = testApp()
    await render(ui(app))
    showToast(app, { message: 'First', variant: 'success', autoClose: false })
    await expect.element(page.getByRole('status').getByText('First')).toBeVisible()
    openModal(app)
    await expect.element(page.getByRole('dialog').getByText('First')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close message' }).click()
    await expect.element(page.getByText('First')).not.toBeInTheDocument()
    expect(app.store.getState().modal.open).toBe(true)
  })
})
