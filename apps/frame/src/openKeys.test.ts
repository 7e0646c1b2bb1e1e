import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openKeys } from './openKeys.ts'

/** A worker that answers each piece of work, or does not load. */
class FakeWorker extends EventTarget {
  static made: FakeWorker[] = []
  static loads = true
  static isDurable = true
  ended = false
  constructor() {
    super()
    FakeWorker.made.push(this)
    const data = { kind: 'ready', durable: FakeWorker.isDurable }
    setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })))
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
  FakeWorker.isDurable = true
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => {
  vi.useRealTimers()
})

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

test('memory: a worker ends after three idle seconds, and the next task starts another', async () => {
  vi.useFakeTimers()
  const keys = open({ deviceId: 'one' })
  const work = async () => {
    const done = keys.do('createKit', {})
    await vi.advanceTimersByTimeAsync(1)
    await done
  }
  await work()
  await vi.advanceTimersByTimeAsync(2_000)
  await work()
  await vi.advanceTimersByTimeAsync(2_990)
  expect(FakeWorker.made.map(({ ended }) => ended)).toEqual([false])
  await vi.advanceTimersByTimeAsync(10)
  expect(FakeWorker.made.map(({ ended }) => ended)).toEqual([true])
  await work()
  expect(FakeWorker.made.map(({ ended }) => ended)).toEqual([true, false])
})

test('behavior: a worker whose memory is all the store that the browser gives stays', async () => {
  vi.useFakeTimers()
  FakeWorker.isDurable = false
  const keys = open({ deviceId: 'one' })
  const done = keys.do('createKit', {})
  await vi.advanceTimersByTimeAsync(60_000)
  await done
  expect(FakeWorker.made.map(({ ended }) => ended)).toEqual([false])
})
