import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { anySignal, canParseUrl } from './olderBrowsers.ts'

const { any } = AbortSignal
afterEach(() => {
  AbortSignal.any = any
})

describe.each([
  ['with AbortSignal.any', true],
  ['without it', false],
])('anySignal, %s', (_, isKnown) => {
  const combine = (signals: readonly AbortSignal[]) => {
    if (!isKnown) Reflect.deleteProperty(AbortSignal, 'any')
    return anySignal(signals)
  }

  test('default: it aborts with the first, for its reason', () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const signal = combine([first.signal, second.signal])
    expect(signal.aborted).toBe(false)
    second.abort('left')
    first.abort('later')
    expect(signal).toMatchObject({ aborted: true, reason: 'left' })
  })

  test('behavior: an already aborted signal, and no signals', () => {
    const signal = combine([new AbortController().signal, AbortSignal.abort('gone')])
    expect(signal).toMatchObject({ aborted: true, reason: 'gone' })
    expect(combine([]).aborted).toBe(false)
  })
})

test('behavior: without AbortSignal.any, an end leaves no listener on the other signals', () => {
  Reflect.deleteProperty(AbortSignal, 'any')
  const [one, other] = [new AbortController(), new AbortController()]
  anySignal([one.signal, other.signal])
  one.abort()
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
})

test('canParseUrl', () => {
  expect(canParseUrl('https://app.example/a')).toBe(true)
  expect(canParseUrl('/a')).toBe(false)
  expect(canParseUrl('/a', 'https://app.example')).toBe(true)
})
