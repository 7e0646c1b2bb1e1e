import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { isTickKept, keepTicksFast } from './keepTicksFast.ts'

test('default: one tick remains, however often it is called', async () => {
  keepTicksFast()
  keepTicksFast()
  expect(isTickKept()).toBe(true)
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
