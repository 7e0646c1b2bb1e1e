import { expect, test, vi } from 'vitest'
import { loadAhead } from './loadAhead.ts'

type Connection = { saveData?: boolean; effectiveType?: string }

/** A browser's window whose idle time the test controls. */
function fakePage({
  connection,
  readyState = 'complete',
}: {
  connection?: Connection
  readyState?: string
}) {
  const idle = new Map<number, () => void>()
  const events = new EventTarget()
  const page = {
    navigator: { connection },
    document: { readyState },
    requestIdleCallback: (run: () => void) => {
      idle.set(idle.size + 1, run)
      return idle.size
    },
    cancelIdleCallback: (handle: number) => idle.delete(handle),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const rest = () => {
    const waiting = [...idle.values()]
    idle.clear()
    for (const run of waiting) run()
  }
  return {
    page: page as unknown as Window,
    rest,
    load: () => events.dispatchEvent(new Event('load')),
  }
}

test('default: runs once, when the page has nothing to do', () => {
  const { page, rest } = fakePage({ connection: { effectiveType: '4g', saveData: false } })
  const run = vi.fn(async () => {})
  loadAhead(run, page)
  expect(run).not.toHaveBeenCalled()
  rest()
  rest()
  expect(run).toHaveBeenCalledTimes(1)
})

test('behavior: waits for a page that is still loading', () => {
  const { page, rest, load } = fakePage({ readyState: 'interactive' })
  const run = vi.fn(async () => {})
  loadAhead(run, page)
  rest()
  expect(run).not.toHaveBeenCalled()
  load()
  rest()
  expect(run).toHaveBeenCalledTimes(1)
})

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'param: never with %o',
  (connection) => {
    const { page, rest } = fakePage({ connection })
    const run = vi.fn(async () => {})
    loadAhead(run, page)
    rest()
    expect(run).not.toHaveBeenCalled()
  },
)

test('behavior: a canceled callback does not run, before the page has loaded and after', () => {
  const run = vi.fn(async () => {})
  const early = fakePage({ readyState: 'loading' })
  loadAhead(run, early.page)()
  early.load()
  early.rest()
  const late = fakePage({})
  loadAhead(run, late.page)()
  late.rest()
  expect(run).not.toHaveBeenCalled()
})

test('error: code that does not load leaves nothing unhandled', async () => {
  const { page, rest } = fakePage({})
  const run = vi.fn(() => Promise.reject(new Error('offline')))
  loadAhead(run, page)
  rest()
  await Promise.resolve()
  expect(run).toHaveBeenCalledTimes(1)
})
