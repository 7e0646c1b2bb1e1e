import { beforeEach, expect, test, vi } from 'vitest'
import {
  addSeen,
  changeNotices,
  getNoticesStatus,
  readNotices,
  subscribeNotices,
  turnOffNotices,
  turnOnNotices,
} from './noticesState.ts'

const entries = new Map<string, string>()
let permission: NotificationPermission = 'default'
let decision: NotificationPermission = 'granted'

beforeEach(() => {
  entries.clear()
  permission = 'default'
  decision = 'granted'
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
  const Notification = {
    get permission() {
      return permission
    },
    async requestPermission() {
      permission = decision
      return permission
    },
  }
  vi.stubGlobal('window', Object.assign(new EventTarget(), { Notification }))
  vi.stubGlobal('Notification', Notification)
  vi.stubGlobal('navigator', { locks: {} })
  vi.stubGlobal('isSecureContext', true)
  return () => vi.unstubAllGlobals()
})

test('default: off until turned on, and nothing stays after it is turned off', async () => {
  const listener = vi.fn()
  subscribeNotices(listener)
  expect(getNoticesStatus()).toBe('off')
  await turnOnNotices()
  expect(getNoticesStatus()).toBe('on')
  expect(readNotices()).toMatchObject({ readAtMs: 0, allowancesAtMs: 0, seen: {} })
  turnOffNotices()
  expect(getNoticesStatus()).toBe('off')
  expect(entries.size).toBe(0)
  expect(listener).toHaveBeenCalledTimes(2)
  changeNotices({ readAtMs: 5 })
  expect(readNotices()).toBeUndefined()
})

test('behavior: a refusal of the browser stores nothing', async () => {
  decision = 'denied'
  await turnOnNotices()
  expect(getNoticesStatus()).toBe('blocked')
  expect(entries.size).toBe(0)
})

test('behavior: a browser without locks or outside a secure context is not supported', () => {
  vi.stubGlobal('navigator', {})
  expect(getNoticesStatus()).toBe('unsupported')
  vi.stubGlobal('navigator', { locks: {} })
  vi.stubGlobal('isSecureContext', false)
  expect(getNoticesStatus()).toBe('unsupported')
})

test('behavior: keeps the newest ids of few accounts; what another version stored counts as off', async () => {
  await turnOnNotices()
  addSeen('a', ['2', '1'])
  addSeen('a', ['3'])
  expect(readNotices()?.seen).toEqual({ a: ['3', '2', '1'] })
  addSeen(
    'a',
    Array.from({ length: 200 }, (_, index) => `new${index}`),
  )
  expect(readNotices()?.seen.a).toHaveLength(100)
  for (let index = 0; index < 30; index++) addSeen(`account ${index}`, ['1'])
  expect(Object.keys(readNotices()?.seen ?? {})).toHaveLength(20)
  entries.set('latchkey.web.notices', '{"sinceMs":"soon"}')
  expect(readNotices()).toBeUndefined()
})
