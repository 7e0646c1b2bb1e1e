import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './createConcurrencyLimit.ts'

const limits = {
  ...{ total: 6, perKey: 2, perClient: 4, slow: 1 },
  ...{ waiting: 3, waitingInAll: 5, waitingPerClient: 2 },
}

/** Slots with a test clock; the work of `ask` records its begin and ends on `end`. */
function open(steady: readonly string[] = []) {
  const now = { ms: 0 }
  const slots = createConcurrencyLimit(limits, { now: () => now.ms, steady: new Set(steady) })
  const begun: string[] = []
  const ask = (key: string, abort = new AbortController(), client?: string) => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const done = slots.run({
      key,
      client,
      signal: abort.signal,
      full: () => new Error('full'),
      work: () => {
        begun.push(key)
        return ended
      },
    })
    const settled = done.then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return { end, settled, abort }
  }
  const finish = async (asked: ReturnType<typeof ask>) => {
    asked.end()
    expect(await asked.settled).toBe('done')
  }
  return { now, begun, ask, finish }
}

test('default: so many for one key and in all, the others in their order', async () => {
  const { ask, begun, finish } = open()
  const asked = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd'].map((key) => ask(key))
  expect(begun).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
  for (const one of asked.slice(0, 2)) await finish(one)
  expect(begun.slice(6)).toEqual(['a', 'd'])
  for (const one of asked) await finish(one)
})

test('behavior: who was slow shares one place with all who were, for five minutes', async () => {
  const { ask, begun, finish, now } = open()
  const slow = ['a', 'b', 'c'].flatMap((key) => [ask(key), ask(key)])
  now.ms += 3_001
  for (const one of slow) await finish(one)
  const again = ['a', 'b', 'c', 'a'].map((key) => ask(key))
  const quick = ['d', 'd', 'e', 'e'].map((key) => ask(key))
  expect(begun.slice(6)).toEqual(['a', 'd', 'd', 'e', 'e'])
  for (const one of quick) await finish(one)
  expect(begun.slice(11)).toEqual([])
  for (const one of again) await finish(one)
  expect(begun.slice(11)).toEqual(['b', 'c', 'a'])
  now.ms += 300_001
  for (const key of ['a', 'b', 'c']) ask(key)
  expect(begun.slice(14)).toEqual(['a', 'b', 'c'])
})

test('param: steady keys are never slow', async () => {
  const { ask, begun, finish, now } = open(['gateway'])
  const slow = [ask('gateway'), ask('gateway')]
  now.ms += 60_000
  for (const one of slow) await finish(one)
  ask('gateway')
  ask('gateway')
  expect(begun).toHaveLength(4)
})

test('error: too many wait for one key, or in all', async () => {
  const { ask } = open()
  for (let times = 0; times < 5; times++) ask('a')
  expect(await ask('a').settled).toBe('full')
  for (let times = 0; times < 4; times++) ask('b')
  expect(await ask('c').abort.signal.aborted).toBe(false)
  expect(await ask('b').settled).toBe('full')
})

test('error: who goes while waiting leaves the place to the next', async () => {
  const { ask, begun, finish } = open()
  const [first, , gone] = [ask('a'), ask('a'), ask('a'), ask('a')]
  gone?.abort.abort('gone')
  expect(await gone?.settled).toBe('gone')
  if (first) await finish(first)
  expect(begun).toEqual(['a', 'a', 'a'])
})

test('behavior: a client with many keys still has one share of the slots and of the places to wait', async () => {
  const { ask, begun, finish } = open()
  const askFor = (key: string, client: string) => ask(key, undefined, client)
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => askFor(key, 'attacker'))
  expect(await many[6]?.settled).toBe('full')
  const other = askFor('x', 'other')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'x'])
  await finish(other)
  for (const asked of many.slice(0, 6)) await finish(asked)
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'x', 'e', 'f'])
})

test('security: clients with slow servers keep no place to run, and none to wait, from others', async () => {
  const { ask, begun, finish } = open()
  const askFor = (key: string, client: string) => ask(key, undefined, client)
  const running = ['a', 'a', 'b', 'b'].map((key) => askFor(key, 'one'))
  running.push(...['c', 'c'].map((key) => askFor(key, 'two')))
  const waiting = ['one', 'one', 'two', 'two'].map((client, at) => askFor(`slow${at}`, client))
  waiting.push(ask('slow'))
  const other = askFor('x', 'other')
  expect(await waiting[1]?.settled).toBe('full')
  const [first] = running
  if (first) await finish(first)
  expect(begun.slice(6)).toEqual(['slow'])
  if (running[1]) await finish(running[1])
  expect(begun.slice(7)).toEqual(['x'])
  await finish(other)
})

test('security: a client that fills the places to wait for one site makes room for others', async () => {
  const { ask, begun, finish } = open()
  const askFor = (key: string, client: string) => ask(key, undefined, client)
  const asked = ['one', 'one', 'one', 'one', 'two'].map((client) => askFor('gateway', client))
  const other = askFor('gateway', 'other')
  expect(await asked[3]?.settled).toBe('full')
  for (const at of [0, 1, 4]) if (asked[at]) await finish(asked[at])
  expect(begun).toHaveLength(5)
  await finish(other)
})
