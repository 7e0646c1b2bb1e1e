import { expect, test, vi } from 'vitest'

test('behavior: a pressed notice tells an open page its path, and only otherwise opens one', async () => {
  const listeners = new Map<string, (event: object) => void>()
  const page = { postMessage: vi.fn(), focus: vi.fn(async () => {}) }
  const matchAll = vi.fn(async (): Promise<object[]> => [page])
  const openWindow = vi.fn(async () => {})
  vi.stubGlobal('builtFiles', [])
  vi.stubGlobal('entryFile', '/assets/entry.js')
  vi.stubGlobal('self', {
    clients: { matchAll, openWindow },
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
  })
  await import('./serviceWorker.ts')
  const press = async () => {
    const notification = { data: '/activity', close: () => {} }
    const waitUntil = vi.fn<(work: Promise<unknown>) => void>()
    listeners.get('notificationclick')?.({ notification, waitUntil })
    await waitUntil.mock.calls[0]?.[0]
  }
  await press()
  expect(matchAll).toHaveBeenCalledWith({ type: 'window' })
  expect(page.postMessage).toHaveBeenCalledWith('/activity')
  expect(page.focus).toHaveBeenCalledTimes(1)
  expect(openWindow).not.toHaveBeenCalled()
  matchAll.mockResolvedValue([])
  await press()
  expect(openWindow).toHaveBeenCalledWith('/activity')
})
