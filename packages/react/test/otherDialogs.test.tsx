import { closeModal, isConnected, openModal } from '@latchkey/core'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import type { FrameScript } from './frame/main.ts'
import { announce, createFakeWallet, testApp } from './testApp.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Imitates libraries while a dialog of the page is open; returns a function that ends it. */
function openPageDialog() {
  const beside = [...document.body.children].filter((element) => element.tagName !== 'SCRIPT')
  for (const element of beside) {
    element.setAttribute('aria-hidden', 'true')
    element.toggleAttribute('inert', true)
  }
  document.body.style.pointerEvents = 'none'
  const lock = (event: Event) => event.preventDefault()
  document.addEventListener('wheel', lock, { passive: false })
  const end = () => {
    for (const element of beside) {
      element.removeAttribute('aria-hidden')
      element.removeAttribute('inert')
    }
    document.body.style.pointerEvents = ''
    document.removeEventListener('wheel', lock)
  }
  ends.push(end)
  return { beside, end }
}

function addStyle(text: string) {
  const style = document.createElement('style')
  style.textContent = text
  document.head.append(style)
  ends.push(() => style.remove())
}

async function show(config: Parameters<typeof testApp>[0] = {}) {
  const app = testApp(config)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return app
}

const dialog = () => page.getByRole('dialog', { name: /^(Log in or connect|Connect wallet)$/ })
/**
 * Presses with the mouse. Playwright treats everything within an inert element as inert, also an
 * open modal dialog; browsers do not.
 */
const press = (button: ReturnType<typeof page.getByRole>) => button.click({ force: true })
const marks = (elements: Element[]) =>
  elements.map((element) => [element.getAttribute('aria-hidden'), element.hasAttribute('inert')])

test('behavior: the modal works while a dialog of the page is open, and the page keeps its marks', async () => {
  ends.push(announce([{ name: 'Fieldwork', wallet: createFakeWallet() }]))
  const app = await show()
  const { beside } = openPageDialog()
  const before = marks(beside)
  openModal(app)
  await expect.element(dialog()).toBeVisible()
  const wheel = new WheelEvent('wheel', { bubbles: true, cancelable: true })
  dialog().getByRole('heading').first().element().dispatchEvent(wheel)
  expect(wheel.defaultPrevented).toBe(false)
  await userEvent.keyboard('{Tab}')
  expect(dialog().element().contains(document.activeElement)).toBe(true)
  await press(dialog().getByRole('button', { name: 'Close', exact: true }))
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  await expect.poll(() => marks(beside)).toEqual(before)
  openModal(app)
  await press(dialog().getByRole('button', { name: /Fieldwork/ }))
  await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
})

test('behavior: marks that the page sets and takes off while the modal is open end as the page left them', async () => {
  const app = await show()
  openModal(app)
  await expect.element(dialog()).toBeVisible()
  const { beside, end } = openPageDialog()
  await expect.element(dialog()).toBeVisible()
  end()
  openModal(app)
  closeModal(app)
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  await expect.poll(() => marks(beside)).toEqual(beside.map(() => [null, false]))
})

test('behavior: the frame works while a dialog of the page is open', async () => {
  const script: FrameScript = { calls: [], answers: {} }
  Object.assign(window, { frameScript: script })
  script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
  const app = await show({ frameUrl: location.origin })
  openModal(app)
  await dialog().getByRole('textbox', { name: 'Email address' }).fill('ada@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
  const { beside } = openPageDialog()
  const before = marks(beside)
  script.line?.emit('FRAME_SHOW', { view: 'approve', title: 'Sign a message', height: 400 })
  const frame = page.getByRole('dialog', { name: 'Sign a message' })
  await expect.element(frame).toBeVisible()
  const iframe = document.querySelector('iframe') as HTMLIFrameElement
  const { left, top, width, height } = iframe.getBoundingClientRect()
  expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(iframe)
  await frame.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.element(frame).not.toBeInTheDocument()
  await expect.poll(() => marks(beside)).toEqual(before)
})

test('behavior: rules of the page for all elements change no size in the modal', async () => {
  ends.push(announce([{ name: 'Fieldwork', wallet: createFakeWallet() }]))
  const app = await show()
  openModal(app)
  await expect.element(dialog().getByRole('button', { name: /Fieldwork/ })).toBeVisible()
  const sizes = () =>
    [...dialog().element().querySelectorAll('[data-view], button, svg, input')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [element.tagName, x, y, width, height, getComputedStyle(element).fill]
    })
  const before = sizes()
  for (const rule of [
    'svg { width: 100%; height: auto; fill: red }',
    '* { box-sizing: content-box }',
    '*, *::before, *::after { box-sizing: border-box }',
  ]) {
    addStyle(rule)
    expect(sizes(), rule).toEqual(before)
  }
})
