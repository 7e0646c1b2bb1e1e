import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { testApp } from './testApp.ts'

afterEach(() => vi.unstubAllGlobals())

/** A button that shows whether the modal's code is there, and an app that counts what it asks the server. */
async function show() {
  const requests: string[] = []
  const app = testApp({}, { other: ({ pathname }) => void requests.push(pathname) })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton.Custom>
        {({ modalStatus, prefetch }) => (
          <button type="button" onPointerEnter={prefetch} onFocus={prefetch}>
            Modal {modalStatus}
          </button>
        )}
      </ConnectButton.Custom>
    </LatchkeyProvider>,
  )
  return { requests }
}

const button = (status: string) => page.getByRole('button', { name: `Modal ${status}` })

/** Holds idle time back until `rest` is called; counts who waits for it. */
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
})
