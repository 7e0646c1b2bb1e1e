import { beforeEach, expect, test, vi } from 'vitest'
import {
  addSeen,
  changeNotices,
  getNoticesStatus,
  noteAccounts,
  readNotices,
  subscribeNotices,
  takeTurn,
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
  expect(readNotices()).toMatchObject({ readAtMs: 0, turns: 0, accounts: {} })
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
  noteAccounts(['a'])
  addSeen('a', ['2', '1'])
  addSeen('a', ['3'])
  expect(readNotices()?.accounts.a?.seen).toEqual(['3', '2', '1'])
  addSeen(
    'a',
    Array.from({ length: 300 }, (_, index) => `new${index}`),
  )
  expect(readNotices()?.accounts.a?.seen).toHaveLength(200)
  for (let index = 0; index < 50; index++) noteAccounts(['a', `account ${index}`])
  const kept = Object.keys(readNotices()?.accounts ?? {})
  expect(kept).toHaveLength(40)
  expect(kept.slice(0, 2)).toEqual(['a', 'account 49'])
  entries.set('latchkey.web.notices', '{"sinceMs":"soon"}')
  expect(readNotices()).toBeUndefined()
})

test('behavior: an account that is connected later has its own start', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(5_500)
  await turnOnNotices()
  noteAccounts(['a'])
  now.mockReturnValue(90_000)
  noteAccounts(['b', 'a'])
  now.mockRestore()
  const { a, b } = readNotices()?.accounts ?? {}
  expect([a?.sinceMs, b?.sinceMs]).toEqual([5_000, 90_000])
})

test('behavior: every account gets its turn, also if the search for allowances always fails', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(0)
  await turnOnNotices()
  const turns = Array.from({ length: 5 }, (_, minute) => {
    now.mockReturnValue(minute * 60_000)
    return takeTurn()
  })
  now.mockReturnValue(2 * 3_600_000)
  turns.push(takeTurn())
  now.mockRestore()
  expect(turns).toEqual([0, 'allowances', 1, 2, 3, 'allowances'])
  expect(readNotices()).toMatchObject({ turns: 4, readAtMs: 2 * 3_600_000 })
})
