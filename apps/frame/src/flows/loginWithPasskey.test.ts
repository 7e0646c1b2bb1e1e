import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPasskeyOffer } from './loginWithPasskey.ts'
import { preparePasskeyOffer } from './preparePasskeyOffer.ts'

type Context = Parameters<typeof createPasskeyOffer>[0]
const minuteMs = 60_000

beforeEach(() => {
  vi.useFakeTimers()
  // The browser's own timeout does not follow these fake timers.
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

/**
 * Opens a browser that offers passkeys until it is stopped, and a server that counts its
 * challenges.
 */
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

test('behavior: a challenge is renewed before it expires, while the field is visible and when it reappears', async () => {
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

test('error: a challenge that did not arrive is requested again when the field reappears', async () => {
  const { show, asked, setOffline } = openBrowser()
  setOffline(true)
  expect(await show(1_000)).toMatchObject({ code: 'OFFLINE' })
  setOffline(false)
  await show(1_000)
  expect(asked).toEqual(['challenge 2'])
})

const bytes = new Uint8Array(16).buffer

/**
 * What is done for the page after the user has chosen a passkey in the field, in a browser with
 * `more` in its window.
 */
async function choosePasskey(more: object): Promise<string[]> {
  class Credential {
    static isConditionalMediationAvailable = async () => true
    rawId = bytes
    response = {
      clientDataJSON: bytes,
      // Byte 32 says that the user was verified.
      authenticatorData: Uint8Array.from({ length: 37 }, () => 0xff).buffer,
      signature: bytes,
      userHandle: null,
    }
    getClientExtensionResults = () => ({})
  }
  vi.stubGlobal('PublicKeyCredential', Credential)
  vi.stubGlobal('navigator', { credentials: { get: async () => new Credential() } })
  const location = { hostname: 'frame.example' }
  vi.stubGlobal('window', {
    isSecureContext: true,
    location,
    PublicKeyCredential: Credential,
    ...more,
  })
  const done: string[] = []
  const note = (what: string) => async () => {
    done.push(what)
  }
  const session = {
    call: async () => ({ challenge: 'AAAA' }),
    saveTokens: note('signed in'),
  }
  const context = { session, keys: { close: () => {} }, facts: { projectId: 'local' } }
  const offer = await preparePasskeyOffer(context as never, {
    origin: 'https://shop.example',
    bind: note('bound'),
    share: note('shared'),
  })
  const signIn = await offer?.offer(new AbortController().signal)
  await signIn?.()
  return done
}

test('default: a passkey chosen in the code field signs in, and shares the listed data with the page', async () => {
  const entry = { prototype: { isVisible: true } }
  expect(await choosePasskey({ IntersectionObserverEntry: entry })).toEqual(['signed in', 'shared'])
})

test('unproven visibility: without proof that the list was visible, nothing is shared with the page yet', async () => {
  const entry = { prototype: {} }
  expect(await choosePasskey({ IntersectionObserverEntry: entry })).toEqual(['signed in', 'bound'])
})
