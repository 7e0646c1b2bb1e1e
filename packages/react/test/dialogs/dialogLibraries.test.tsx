import { isConnected, openModal } from '@latchkey/core'
import bootstrap from 'bootstrap/dist/css/bootstrap.min.css?inline'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import type { FrameScript } from '../frame/main.ts'
import { testApp } from '../testApp.ts'

// JavaScript, as in the guides of these libraries.
const files = import.meta.glob<{
  pages: Record<string, (props: { onPay: () => void }) => ReactNode>
}>('./pageDialogs.jsx', { eager: true })
const pages = Object.entries(files['./pageDialogs.jsx']?.pages ?? {})

const style = document.createElement('style')
afterEach(() => style.remove())

/**
 * Presses with the mouse. Playwright treats everything within an inert element as inert, also an
 * open modal dialog; browsers do not.
 */
const press = (element: Parameters<typeof userEvent.click>[0]) =>
  userEvent.click(element, { force: true })

test.for(pages)(
  'behavior: above an open dialog of the page (%s), the modal and the frame are clicked, focused and typed in',
  async ([name, PageDialog]) => {
    if (name === 'Bootstrap') {
      style.textContent = bootstrap
      document.head.append(style)
    }
    const script: FrameScript = { calls: [], answers: {} }
    Object.assign(window, { frameScript: script })
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
    const app = testApp({ frameUrl: location.origin })
    await render(
      <>
        <LatchkeyProvider app={app}>
          <main>Shop</main>
        </LatchkeyProvider>
        <PageDialog onPay={() => openModal(app)} />
      </>,
    )
    await page.getByText('Pay', { exact: true }).click()

    const dialog = page.getByRole('dialog', { name: 'Log in or connect' })
    const email = dialog.getByRole('textbox', { name: 'Email address' })
    await press(dialog.getByRole('heading').first())
    await press(email)
    await expect.element(email).toHaveFocus()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(dialog.element().contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Tab}ada@mail.example')
    await expect.element(email).toHaveValue('ada@mail.example')
    await press(dialog.getByRole('button', { name: 'Continue with email' }))
    await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)

    script.line?.emit('FRAME_SHOW', { view: 'approve', title: 'Sign a message', height: 400 })
    const frame = page.getByRole('dialog', { name: 'Sign a message' })
    await expect.element(frame).toBeVisible()
    const iframe = document.querySelector('iframe') as HTMLIFrameElement
    const inside = iframe.contentDocument as Document
    const field = inside.body.appendChild(inside.createElement('textarea'))
    field.style.cssText = 'position: fixed; inset: 0; inline-size: 100%; block-size: 100%'
    await press(iframe)
    await userEvent.keyboard('246810')
    expect(field.value).toBe('246810')
    expect([document.activeElement, inside.activeElement]).toEqual([iframe, field])
    await press(frame.getByRole('button', { name: 'Close', exact: true }))
    await expect.element(frame).not.toBeInTheDocument()
  },
)
