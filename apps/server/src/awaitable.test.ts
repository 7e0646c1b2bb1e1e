import { expect, test } from 'vitest'
import { recoverFrom, whenReady } from './awaitable.ts'

test('whenReady: continues at once with a value, and waits for a promise', async () => {
  expect(whenReady(1, (one) => one + 1)).toBe(2)
  const later = whenReady(Promise.resolve(1), (one) => one + 1)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe(2)
  expect(await whenReady(1, async (one) => one + 1)).toBe(2)
})

test('recoverFrom: a rejected promise gives the recovered value, and a value is unchanged', async () => {
  expect(recoverFrom<number>(1, () => 2)).toBe(1)
  const failing = Promise.reject<string>(new Error('away'))
  expect(await recoverFrom(failing, (error) => String(error))).toBe('Error: away')
})
