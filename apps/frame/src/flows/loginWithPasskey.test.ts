import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPasskeyOffer } from './loginWithPasskey.ts'

type Context = Parameters<typeof createPasskeyOffer>[0]
const minuteMs = 60_000

beforeEach(() => {
  vi.useFakeTimers()
  // That of the browser takes no time from these timers.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A browser that offers passkeys until it is told to stop, and a server that counts the challenges that it gives. */
function openBrowser() {
  const asked: string[] = []
  let started = 0
  let fails = false
  const get = ({
    publicKey,
    signal,
  }: {
    publicKey: { challenge: Uint8Array }
    signal: AbortSignal
  }) => {
    asked.push(Buffer.from(publicKey.challenge).toString())
    return new Promise((_, reject) => {
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
    })
  }
  vi.stubGlobal('navigator', { credentials: { get } })
  const call = async () => {
    started += 1
    if (fails) throw new LatchkeyError('OFFLINE')
    return { challenge: Buffer.from(`challenge ${started}`).toString('base64url') }
  }
  const context = { session: { call }, keys: {} } as unknown as Context
  const offer = createPasskeyOffer(context, { projectId: 'local', origin: 'https://shop.example' })
  /** The field is in sight for a while. */
  const show = async (forMs: number) => {
    const closing = new AbortController()
    const offered = offer(closing.signal).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(forMs)
    closing.abort()
    return offered
  }
  return {
    asked,
    show,
    count: () => started,
    setOffline: (isOffline: boolean) => {
      fails = isOffline
    },
  }
}

test('behavior: a field that comes into sight again and again takes one challenge', async () => {
  const { show, asked, count } = openBrowser()
  for (let shown = 0; shown < 100; shown++) await show(1_000)
  expect(count()).toBe(1)
  expect(new Set(asked)).toEqual(new Set(['challenge 1']))
  expect(asked).toHaveLength(100)
})

test('behavior: a challenge is renewed before its time is over, in sight and when the field is shown again', async () => {
  const { show, asked, count } = openBrowser()
  await show(3 * minuteMs)
  // In sight as the four minutes of the first one end.
  await show(2 * minuteMs)
  expect(asked).toEqual(['challenge 1', 'challenge 1', 'challenge 2'])
  await vi.advanceTimersByTimeAsync(10 * minuteMs)
  await show(1_000)
  expect(asked.at(-1)).toBe('challenge 3')
  expect(count()).toBe(3)
})

test('error: a challenge that did not come is asked for again when the field is shown again', async () => {
  const { show, asked, setOffline } = openBrowser()
  setOffline(true)
  expect(await show(1_000)).toMatchObject({ code: 'OFFLINE' })
  setOffline(false)
  await show(1_000)
  expect(asked).toEqual(['challenge 2'])
})
