import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openKeys } from './openKeys.ts'

/** A worker that answers each piece of work, or does not load. */
class FakeWorker extends EventTarget {
  static made: FakeWorker[] = []
  static loads = true
  ended = false
  constructor() {
    super()
    FakeWorker.made.push(this)
  }
  postMessage({ id }: { id: number }) {
    setTimeout(() => {
      const data = { kind: 'done', id, result: { kit: 'k' } }
      this.dispatchEvent(
        FakeWorker.loads ? new MessageEvent('message', { data }) : new Event('error'),
      )
    })
  }
  terminate() {
    this.ended = true
  }
}

beforeEach(() => {
  FakeWorker.made = []
  FakeWorker.loads = true
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => vi.unstubAllGlobals())

const open = (session: { deviceId: string }) =>
  openKeys({ callPath: async () => ({}), read: async () => session as never })

test('default: one worker does all work', async () => {
  const keys = open({ deviceId: 'one' })
  await keys.do('createKit', {})
  await keys.do('createKit', {})
  expect(FakeWorker.made.length).toBe(1)
})

test('error: after a worker that did not load, the next piece of work starts another', async () => {
  const keys = open({ deviceId: 'one' })
  FakeWorker.loads = false
  await expect(keys.do('createKit', {})).rejects.toMatchObject({ code: 'OFFLINE' })
  FakeWorker.loads = true
  expect(await keys.do('createKit', {})).toEqual({ kit: 'k' })
})

test('behavior: a worker knows one device; after another tab signed in as another, the next one works', async () => {
  const session = { deviceId: 'one' }
  const keys = open(session)
  await keys.do('createKit', {})
  session.deviceId = 'two'
  await keys.do('createKit', {})
  expect(FakeWorker.made.map(({ ended }) => ended)).toEqual([true, false])
})
