import { openModal } from '@latchkey/core'
import { expect, test, vi } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { createFakePairing } from './fakes/fakePairing.ts'
import { testApp } from './testApp.ts'
import { noteTitles } from './watch/noteTitles.ts'

/**
 * A button that shows whether the modal's code is loaded, and an app that counts its requests to
 * the server.
 */
async function show(answers: Parameters<typeof testApp>[1] = {}) {
  // The last test may have left the pointer at the future place of the button.
  await page.elementLocator(document.documentElement).hover({ position: { x: 640, y: 640 } })
  const requests: string[] = []
  const other = ({ pathname }: URL) => void requests.push(pathname)
  const app = testApp({}, { ...answers, other })
  const { container } = await render(
    <LatchkeyProvider app={app}>
      <ConnectButton.Custom>
        {({ modalStatus, prefetch, open }) => (
          <button type="button" onPointerEnter={prefetch} onFocus={prefetch} onClick={open}>
            Modal {modalStatus}
          </button>
        )}
      </ConnectButton.Custom>
    </LatchkeyProvider>,
  )
  return { app, requests, container }
}

const button = (status: string) => page.getByRole('button', { name: `Modal ${status}` })

/** Holds idle time back until `rest` is called; counts the waiting callbacks. */
function holdIdle() {
  const waiting = new Map<number, () => void>()
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.set(waiting.size, run).size - 1)
  vi.stubGlobal('cancelIdleCallback', (handle: number) => waiting.delete(handle))
  return {
    waiting,
    rest: () => {
      for (const run of waiting.values()) run()
      waiting.clear()
    },
  }
}

test('behavior: an idle page loads the modal once and asks the server nothing', async () => {
  const { waiting, rest } = holdIdle()
  const { requests } = await show()
  await expect.element(button('idle')).toBeVisible()
  expect(waiting.size).toBe(1)
  rest()
  await expect.element(button('ready')).toBeVisible()
  expect(waiting.size).toBe(0)
  expect(requests).toEqual([])
})

test('behavior: where data is saved the modal is loaded when a pointer comes to the button', async () => {
  const { rest } = holdIdle()
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  const { requests } = await show()
  rest()
  await expect.element(button('idle')).toBeVisible()
  expect(requests).toEqual([])
  vi.unstubAllGlobals()
  await button('idle').hover()
  await expect.element(button('ready')).toBeVisible()
  await expect.poll(() => requests).toContain('/getWallets')
})

test.each([
  ['a page that transforms what the modal is in', ''],
  ['a page with a rule for all dialogs', 'dialog { position: relative }'],
])('behavior: drawn ahead, the modal takes no room in %s', async (_, css) => {
  const { rest } = holdIdle()
  const style = document.head.appendChild(document.createElement('style'))
  style.textContent = `.around { transform: scale(1); overflow: auto; width: 300px; height: 200px } ${css}`
  const { container } = await show()
  container.classList.add('around')
  rest()
  await expect.element(button('ready')).toBeVisible()
  expect(container.querySelector('dialog')?.textContent).toContain('Connect')
  expect([container.scrollWidth, container.scrollHeight]).toEqual([300, 200])
  style.remove()
})

const wallet = (name: string) => ({
  id: name.padEnd(64, '0'),
  name,
  image_id: name,
  mobile_link: 'wallet://',
  chains: ['eip155:1'],
})
const list = (...names: string[]) => ({ count: 9, data: names.map(wallet) })

/** The storage that a browser keeps between visits. */
function createArea() {
  const entries = new Map<string, string>()
  return {
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
}

/** Opens the modal of a new visit; `answer` is the directory's response. */
async function visit(area: ReturnType<typeof createArea>, answer: () => unknown) {
  const app = testApp({}, { wallets: answer }, { area })
  const screen = await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app)
  return screen
}

// After its name, a row shows how its wallet is reached.
const row = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${name}( Get| QR code)?$`) })
const placeOf = (name: string) => row(name).element().getBoundingClientRect().toJSON()

test('behavior: the list of the last visit is there at once, and nothing moves when the server answers', async () => {
  const area = createArea()
  const first = await visit(area, () => list('Alder', 'Birch', 'Cedar', 'Elm'))
  await expect.element(row('Elm')).toBeVisible()
  await first.unmount()

  let answer: (value: unknown) => void = () => {}
  const answered = new Promise((resolve) => {
    answer = resolve
  })
  await visit(area, () => answered)
  await expect.element(row('Elm')).toBeVisible()
  await expect.element(row('All wallets 9 wallets')).toBeVisible()
  const before = [placeOf('Alder'), placeOf('Elm')]
  answer(list('Alder', 'Fir', 'Hazel', 'Ginkgo'))
  await expect.element(row('Ginkgo')).toBeVisible()
  expect([placeOf('Alder'), placeOf('Ginkgo')]).toEqual(before)
})

test('error: a corrupt list of the last visit is dropped and fetched from the server', async () => {
  const area = createArea()
  const entry = 'latchkey.directoryWallets'
  area.setItem(entry, JSON.stringify({ version: 1, value: { count: 1, wallets: [{ name: 1 }] } }))
  let answer: (value: unknown) => void = () => {}
  const answered = new Promise((resolve) => {
    answer = resolve
  })
  await visit(area, () => answered)
  const waiting = page.getByRole('dialog').getByRole('status', { name: 'Loading wallets' })
  await expect.element(waiting).toBeVisible()
  expect(area.getItem(entry)).toBe(null)
  answer(list('Alder'))
  await expect.element(row('Alder')).toBeVisible()
  expect(area.getItem(entry)).toContain('Alder')
})

test('behavior: after a failure, a pointer at the button sends no further request, but an opening does', async () => {
  const { app, requests } = await show({ wallets: () => new Response('', { status: 404 }) })
  const lists = () => requests.filter((path) => path === '/getWallets').length
  // In any state: a busy page may never have idle time, in which the modal would load by itself.
  const opener = page.getByRole('button', { name: /^Modal / })
  await opener.hover()
  await expect.poll(() => app.store.getState().recommended?.status).toBe('failed')
  const away = page.elementLocator(document.documentElement)
  await away.hover({ position: { x: 640, y: 640 } })
  await opener.hover()
  expect(lists()).toBe(1)
  await opener.click()
  await expect.poll(lists).toBe(2)
})

test('behavior: the title of a wallet of the list is there with its view', async () => {
  const app = testApp({}, {}, { pairing: createFakePairing() })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app)
  const titles = noteTitles()
  await row('Alder').click()
  await expect.poll(() => titles.at(-1)).toBe('Alder')
  expect(titles.slice(-2)).toEqual(['Connect wallet', 'Alder'])
})

const setMotion = (value: string) =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-reduced-motion', value }],
  })

test('behavior: while the card appears nothing in it moves; later its height follows its content', async () => {
  await setMotion('no-preference')
  const moves: string[] = []
  const cards: Animation[] = []
  const note = ({
    target,
    propertyName = '',
    animationName = propertyName,
  }: Partial<TransitionEvent & AnimationEvent>) => {
    moves.push(animationName)
    if (propertyName !== 'scale') return
    for (const animation of (target as Element).getAnimations()) {
      animation.pause()
      cards.push(animation)
    }
  }
  document.addEventListener('transitionrun', note)
  document.addEventListener('animationstart', note)
  const dialog = page.getByRole('dialog')
  await visit(createArea(), () => ({ count: 0, data: [] }))
  await expect.element(dialog).toBeVisible()
  await expect.poll(() => dialog.element().textContent).not.toContain('All wallets')
  await expect.poll(() => cards.length).toBe(1)
  const frame = dialog.element().querySelector<HTMLElement>('[style*="block-size"]')
  const content = frame?.firstElementChild
  await expect.poll(() => frame?.offsetHeight).toBe((content as HTMLElement).offsetHeight)
  expect(moves).not.toContain('height')
  expect(moves.filter((name) => /appear/.test(name))).toEqual([])

  for (const card of cards) card.finish()
  await dialog.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect.poll(() => moves).toContain('height')
  await expect.poll(() => moves.filter((name) => /appear/.test(name))).not.toEqual([])
  document.removeEventListener('transitionrun', note)
  document.removeEventListener('animationstart', note)
  await setMotion('reduce')
})

test('behavior: the button has the font once the code of the modal is there, which a click may wait for', async () => {
  const { rest } = holdIdle()
  await render(
    <LatchkeyProvider app={testApp()}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  const connect = page.getByRole('button', { name: 'Connect wallet' })
  await expect.element(connect).toBeVisible()
  const family = () => getComputedStyle(connect.element()).fontFamily
  expect(family()).not.toContain('Inter Variable')
  expect(family()).toContain('system-ui')
  rest()
  await expect.poll(family).toContain('Inter Variable')
})
