import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { keepTicksFast } from './keepTicksFast.ts'

test('default: one tick remains, however often it is called', async () => {
  keepTicksFast()
  const made: string[] = []
  const hook = createHook({ init: (_, type) => void made.push(type) }).enable()
  keepTicksFast()
  hook.disable()
  // It holds a tick already, so it makes no other.
  expect(made).not.toContain('TickObject')
  const ticks: string[] = []
  process.nextTick(() => ticks.push('ran'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(ticks).toEqual(['ran'])
})

test('behavior: hooks of others see their ticks as ever', () => {
  const types: string[] = []
  const hook = createHook({ init: (_, type) => void types.push(type) }).enable()
  keepTicksFast()
  process.nextTick(() => {})
  hook.disable()
  expect(types).toContain('TickObject')
})
