import { type ErrorCode, LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForApproval } from './login.ts'
import type { LoginSession } from './loginSession.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Waits with a server that gives `answers` one after the other, at once; `asked` counts what it
 * got.
 */
function wait(answers: readonly (boolean | ErrorCode)[], signal = new AbortController().signal) {
  const waiting = { asked: 0, ended: undefined as unknown }
  const call = async () => {
    const answer = answers[waiting.asked++] ?? 'LOGIN_ENDED'
    if (typeof answer === 'string') throw new LatchkeyError(answer as 'OFFLINE')
    return { approved: answer }
  }
  const login = { tx: 't', action: 'VERIFY_DEVICE', email: '', matchCode: '42', resendAtMs: 0 }
  waitForApproval({ call } as unknown as LoginSession, login as never, signal).then(
    () => {
      waiting.ended = 'approved'
    },
    (error: LatchkeyError) => {
      waiting.ended = error.code
    },
  )
  return waiting
}

test('default: an approved link ends the wait', async () => {
  const waiting = wait([true])
  await vi.advanceTimersByTimeAsync(0)
  expect(waiting).toEqual({ asked: 1, ended: 'approved' })
})

test('behavior: no connection and no answer are waited out', async () => {
  const waiting = wait(['OFFLINE', 'TIMEOUT', 'HTTP_FAILED', true])
  await vi.advanceTimersByTimeAsync(900)
  expect(waiting).toEqual({ asked: 1, ended: undefined })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(waiting).toEqual({ asked: 4, ended: 'approved' })
})

test('behavior: a server that does not wait is not polled endlessly', async () => {
  const waiting = wait(Array(50).fill(false))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(waiting.asked).toBeGreaterThan(4)
  expect(waiting.asked).toBeLessThan(12)
})

test('error: a login that has ended, and a caller that has left', async () => {
  const ended = wait(['LOGIN_ENDED'])
  const controller = new AbortController()
  const left = wait([false, false], controller.signal)
  await vi.advanceTimersByTimeAsync(100)
  controller.abort()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ended).toEqual({ asked: 1, ended: 'LOGIN_ENDED' })
  expect(left).toEqual({ asked: 1, ended: 'ABORTED' })
})
