import type { App } from '@latchkey/core'
import { beforeEach, expect, test, vi } from 'vitest'
import { followPresses } from './followPresses.ts'

const openNotice = vi.fn(async () => {})
vi.mock('./openNotice.ts', () => ({ openNotice }))

const app = {} as App
const subject = 'chain=solana%3A1&address=A&transaction=b'
const pushState = vi.fn()
let serviceWorker: EventTarget

beforeEach(() => {
  serviceWorker = new EventTarget()
  pushState.mockReset()
  openNotice.mockReset().mockResolvedValue(undefined)
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', Object.assign(new EventTarget(), { scrollTo: () => {} }))
  vi.stubGlobal('location', { pathname: '/send', search: '?x' })
  vi.stubGlobal('history', { pushState })
  return () => vi.unstubAllGlobals()
})

test('default: a pressed notice opens its page and its subject without a load, and no other path', async () => {
  const press = (data: unknown) =>
    serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  const stop = followPresses(app)
  for (const data of ['/allowances', '//evil.example', '/send?x', { path: '/activity' }, null])
    press(data)
  expect(pushState.mock.calls).toEqual([[null, '', '/allowances']])
  press(`/activity?${subject}`)
  expect(pushState.mock.lastCall).toEqual([null, '', '/activity'])
  await vi.waitFor(() => expect(openNotice.mock.calls).toEqual([[app, subject]]))
  stop()
  press('/activity')
  expect(pushState).toHaveBeenCalledTimes(2)
})

test('behavior: the notice that has opened the page is followed', async () => {
  vi.stubGlobal('location', { pathname: '/activity', search: `?${subject}` })
  followPresses(app)()
  await vi.waitFor(() => expect(openNotice.mock.calls).toEqual([[app, subject]]))
  expect(pushState).not.toHaveBeenCalled()
})
