import { expect, test, vi } from 'vitest'
import { followPresses } from './followPresses.ts'

test('default: a pressed notice opens its page without a load, and no other path', () => {
  const serviceWorker = new EventTarget()
  const pushState = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', Object.assign(new EventTarget(), { scrollTo: () => {} }))
  vi.stubGlobal('location', { pathname: '/send' })
  vi.stubGlobal('history', { pushState })
  const press = (data: unknown) =>
    serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  const stop = followPresses()
  for (const data of ['/allowances', '//evil.example', '/activity?x', { path: '/activity' }, null])
    press(data)
  expect(pushState.mock.calls).toEqual([[null, '', '/allowances']])
  stop()
  press('/activity')
  expect(pushState).toHaveBeenCalledTimes(1)
})
