import { isError, LatchkeyError, type LoginTokens } from '@latchkey/wire'
import { expect, test, vi } from 'vitest'
import type { ApprovalView } from '../approval/approvalView.ts'
import { createLoginSession } from '../auth/loginSession.ts'
import type { FrameContext } from '../context.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { createAccount } from './createAccount.ts'
import { emailChangeHandlers } from './emailChangeHandlers.ts'

const origin = 'http://app.example'
const tokens: LoginTokens = {
  accessToken: 'a'.padEnd(43, '0'),
  refreshToken: 'a'.padEnd(43, '1'),
  expiresInSeconds: 600,
  stepUpSeconds: 0,
  userId: 'ann',
  deviceId: 'device of ann',
  email: null,
  userName: 'ann',
}
const handleOf = (letter: string) => letter.repeat(22)
/** A server that requires a confirmation first. */
const addOnceConfirmed = () => {
  let times = 0
  return () => {
    if (times++ === 0) throw new LatchkeyError('STEP_UP_NEEDED')
    return { action: 'VERIFY_SECONDARY_OTP', resendSeconds: 30 }
  }
}
const ended = (error: unknown) => isError(error, 'EMAIL_CHANGE_ENDED')

/**
 * The frame of a user without an email address, who has allowed the page to see the account;
 * `answers` are the server's responses.
 */
async function openFrame(answers: Record<string, (body: object) => unknown>) {
  // An IP address has no passkeys, so the provider confirms.
  vi.stubGlobal('window', { isSecureContext: true, location: { hostname: '127.0.0.1' } })
  const store = createMemoryStore()
  const asked: string[] = []
  const send = async ({ path, body }: { path: string; body: unknown }) => {
    asked.push(path)
    const answer = answers[path]
    if (!answer) throw new Error(`Nobody answers ${path}`)
    return answer(body as object)
  }
  const session = createLoginSession({ store, send, now: Date.now })
  await session.saveTokens(tokens)
  const screenQueue = createScreenQueue()
  const facts = { projectId: 'local', otpSurface: 'frame', chains: [{ id: 'eip155:1' }] }
  // This browser holds the wallet.
  const keys = { do: async () => ({ status: 'ready', addresses: { eip155: '0x01' } }) }
  const context = {
    window: {},
    facts,
    store,
    session,
    keys,
    screenQueue,
  } as unknown as FrameContext
  const emitted: string[] = []
  const { signal } = new AbortController()
  const emit = (name: string) => emitted.push(name)
  const connection = { origin, emit, closed: signal } as unknown as HostConnection
  const account = createAccount(context, connection, () => {})
  await account.bindUser()
  await account.grantConsent({ withEmail: false })
  const handlers = emailChangeHandlers(context, account, connection)
  return {
    session,
    emitted,
    asked,
    account,
    change: async (email: string) => handlers.APP_UPDATE_EMAIL({ email }, { signal } as never),
    shown: () => screenQueue.current()?.props as { view?: ApprovalView } | undefined,
    /** Answers what is shown, once it is `view`. */
    finish: async (view: string, result?: unknown) => {
      await expect.poll(() => screenQueue.current()?.view).toBe(view)
      const props = screenQueue.current()?.props as { done?: (result: unknown) => void } | undefined
      props?.done?.(result)
    },
  }
}

test('default: agreed to and confirmed at the provider, then the code of the new address alone', async () => {
  const frame = await openFrame({
    '/api/email/change': () => ({ changeTx: handleOf('a'), action: 'STEP_UP', resendSeconds: 30 }),
    '/api/identities': () => ({ identities: [], providers: [] }),
    '/api/email/add': addOnceConfirmed(),
  })
  const step = frame.change('ann@people.example')
  expect(frame.asked).toEqual([])
  await frame.finish('approve')
  await frame.finish('social', tokens)
  expect(await step).toEqual({ action: 'VERIFY_SECONDARY_OTP', resendSeconds: 30 })
  const add = '/api/email/add'
  expect(frame.asked).toEqual(['/api/email/change', add, '/api/identities', add])
})

test('behavior: dots and letters of any script are allowed before the @, with a warning for look-alikes', async () => {
  for (const [typed, to, isWarned] of [
    ['ab.@docomo.example', 'ab.@docomo.example', false],
    ['Mu\u0308ller@example.com', 'müller@example.com', true],
  ] as const) {
    const asked: unknown[] = []
    const frame = await openFrame({
      '/api/email/change': (body) => {
        asked.push(body)
        return { changeTx: handleOf('a'), action: 'STEP_UP', resendSeconds: 30 }
      },
      '/api/identities': () => ({ identities: [], providers: [] }),
      '/api/email/add': addOnceConfirmed(),
    })
    const step = frame.change(typed)
    await expect.poll(() => frame.shown()?.view?.groups[0]?.rows[0]).toMatchObject({ text: to })
    const dangers = frame.shown()?.view?.warnings.filter(({ level }) => level === 'danger')
    expect(dangers).toHaveLength(isWarned ? 1 : 0)
    await frame.finish('approve')
    await frame.finish('social', tokens)
    await step
    expect(asked).toEqual([{ to }])
  }
})

test('error: a page that asks for another address while the first is confirmed gets no code for either', async () => {
  let handles = 0
  const frame = await openFrame({
    '/api/email/change': () => ({
      changeTx: handleOf('ab'[handles++] ?? ''),
      action: 'STEP_UP',
      resendSeconds: 30,
    }),
    '/api/identities': () => ({ identities: [], providers: [] }),
    '/api/email/add': addOnceConfirmed(),
  })
  const first = frame.change('ann@people.example')
  await frame.finish('approve')
  await expect.poll(() => frame.asked).toContain('/api/identities')
  const second = frame.change('thief@people.example')
  second.catch(() => {})
  await frame.finish('social', tokens)
  await expect(first).rejects.toSatisfy(ended)
  // The refused request.
  expect(frame.asked.filter((path) => path === '/api/email/add')).toHaveLength(1)
})

test('behavior: an address that another browser has added is recognized, and not shown to the page', async () => {
  const frame = await openFrame({
    '/api/email/change': () => ({
      changeTx: handleOf('a'),
      action: 'VERIFY_PRIMARY_OTP',
      resendSeconds: 30,
    }),
    '/api/me': () => ({
      userId: 'ann',
      deviceId: 'device of ann',
      email: 'there@people.example',
      stepUpSeconds: 0,
      undoSeconds: 0,
      hadNoEmail: true,
    }),
  })
  const step = frame.change('ann@people.example')
  step.catch(() => {})
  await frame.finish('approve')
  await expect(step).rejects.toSatisfy(ended)
  expect((await frame.session.read())?.email).toBe('there@people.example')
  expect(await frame.account.getSharedEmail()).toBe(null)
  expect(frame.emitted).toEqual([])
})
