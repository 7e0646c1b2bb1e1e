import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../../test/tab.ts'
import { closeToast, showToast } from './toast.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const message = (app: ReturnType<typeof openApp>) => app.store.getState().toast?.message

test('default', () => {
  const app = openApp()
  showToast(app, { message: 'Done', variant: 'success' })
  expect(app.store.getState().toast).toEqual({
    id: 1,
    message: 'Done',
    variant: 'success',
    autoClose: true,
  })
  vi.advanceTimersByTime(2499)
  expect(message(app)).toBe('Done')
  vi.advanceTimersByTime(1)
  expect(message(app)).toBeUndefined()
})

test('behavior: an open one closes and the new one appears after 150 ms', () => {
  const app = openApp()
  showToast(app, { message: 'One', variant: 'error' })
  showToast(app, { message: 'Two', variant: 'error' })
  expect(message(app)).toBeUndefined()
  vi.advanceTimersByTime(149)
  expect(message(app)).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(message(app)).toBe('Two')
  vi.advanceTimersByTime(2500)
  expect(message(app)).toBeUndefined()
})

test('behavior: a loading one stays until closed', () => {
  const app = openApp()
  showToast(app, { message: 'Wait', variant: 'loading' })
  vi.advanceTimersByTime(60_000)
  expect(message(app)).toBe('Wait')
  closeToast(app)
  expect(message(app)).toBeUndefined()
})

test('behavior: closed within the hand-over, the new one does not appear; nor after destroy', () => {
  const app = openApp()
  showToast(app, { message: 'One', variant: 'svg' })
  showToast(app, { message: 'Two', variant: 'svg' })
  closeToast(app)
  vi.advanceTimersByTime(5000)
  expect(message(app)).toBeUndefined()
  app.destroy()
  showToast(app, { message: 'Three', variant: 'svg' })
  expect(message(app)).toBeUndefined()
})
