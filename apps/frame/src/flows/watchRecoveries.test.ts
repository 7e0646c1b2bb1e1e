import { listOperatorRecoveriesRoute } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { createLoginSession } from '../auth/loginSession.ts'
import type { WarningProps } from '../screens/RecoveryWarning.tsx'
import { createScreenQueue, type ScreenQueue } from '../screens/screenQueue.ts'
import { createMemoryStore, keysKey } from '../wallet/keyStore.ts'
import { watchRecoveries } from './watchRecoveries.ts'

const newId = () => crypto.randomUUID().replaceAll('-', '')
let closing = new AbortController()
afterEach(() => closing.abort())

/**
 * Opens tabs of one browser. If it has a key, the server lists the pending recoveries for this key.
 */
function openBrowser({ hasKeys = true } = {}) {
  closing = new AbortController()
  const waiting = new Set<string>()
  const store = createMemoryStore()
  const makeKeys = () => store.put(keysKey, {})
  if (hasKeys) void makeKeys()
  let asked = 0
  const open = () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const screenQueue = createScreenQueue()
    const send = async ({ path }: { path: string }) => {
      if (path !== listOperatorRecoveriesRoute.path) throw new Error(path)
      asked++
      return {
        recoveries: [...waiting].map((id) => ({ id, name: 'A phone', readyAtMs: 0 })),
      }
    }
    const session = createLoginSession({ store, send: send as never, now: () => 0 })
    const window = { document: page } as unknown as Window
    watchRecoveries({ session, screenQueue, store, window }, closing.signal)
    return { page, screenQueue, look: () => page.dispatchEvent(new Event('visibilitychange')) }
  }
  return { waiting, open, makeKeys, asked: () => asked }
}
const shows = (queue: ScreenQueue) => queue.current()?.over === false
/** As its screen does once it is drawn. */
const seesIt = async (queue: ScreenQueue) => {
  await expect.poll(() => shows(queue)).toBe(true)
  const shown = queue.current()?.props as WarningProps | undefined
  shown?.onShown()
}

test('default: an open tab that becomes visible shows a recovery, and so does every other tab', async () => {
  const { waiting, open, asked } = openBrowser()
  const [one, two] = [open(), open()]
  await expect.poll(asked).toBe(2)
  expect([shows(one.screenQueue), shows(two.screenQueue)]).toEqual([false, false])
  waiting.add(newId())
  one.page.visibilityState = 'hidden'
  one.look()
  expect(asked()).toBe(2)
  one.page.visibilityState = 'visible'
  one.look()
  await seesIt(one.screenQueue)
  await seesIt(two.screenQueue)
})

test('behavior: a tab in which the wallet is made shows a recovery that is requested later', async () => {
  const { waiting, open, makeKeys, asked } = openBrowser({ hasKeys: false })
  const { screenQueue, look } = open()
  look()
  await new Promise(setImmediate)
  expect(asked()).toBe(0)
  await makeKeys()
  waiting.add(newId())
  look()
  await seesIt(screenQueue)
})

test('behavior: what one tab was closed on is shown in the next one, and not again in the same', async () => {
  const { waiting, open, asked } = openBrowser()
  waiting.add(newId())
  const one = open()
  await seesIt(one.screenQueue)
  one.screenQueue.close()
  await expect.poll(() => shows(one.screenQueue)).toBe(false)
  const before = asked()
  one.look()
  await expect.poll(asked).toBeGreaterThan(before)
  const two = open()
  await seesIt(two.screenQueue)
  expect(shows(one.screenQueue)).toBe(false)
  // Another recovery is news to both.
  waiting.add(newId())
  two.look()
  await seesIt(one.screenQueue)
})

test('error: a warning that was closed before the user saw it appears at the next check', async () => {
  const { waiting, open, asked } = openBrowser()
  waiting.add(newId())
  const one = open()
  await expect.poll(() => shows(one.screenQueue)).toBe(true)
  one.screenQueue.close()
  await expect.poll(() => shows(one.screenQueue)).toBe(false)
  const before = asked()
  one.look()
  await expect.poll(asked).toBeGreaterThan(before)
  await seesIt(one.screenQueue)
})

test('behavior: stopping it in one tab removes it in the other, and the one says so until it is left', async () => {
  const { waiting, open } = openBrowser()
  waiting.add(newId())
  const [one, two] = [open(), open()]
  await seesIt(one.screenQueue)
  await seesIt(two.screenQueue)
  waiting.clear()
  const shown = one.screenQueue.current()?.props as WarningProps | undefined
  shown?.onStopped()
  await expect.poll(() => shows(two.screenQueue)).toBe(false)
  one.look()
  await expect.poll(() => shows(one.screenQueue)).toBe(true)
})
