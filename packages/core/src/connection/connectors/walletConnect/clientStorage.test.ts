import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/tab.ts'
import { createClientStorage } from './clientStorage.ts'

test('default', () => {
  const browser = createBrowser()
  browser.entries.set('other', 'x')
  const storage = createClientStorage({ prefix: 'p.', ...browser.openTab() })
  storage.set('a', '1')
  storage.set('b', '2')
  storage.remove('b')
  expect(storage.get('a')).toBe('1')
  expect(storage.get('b')).toBeUndefined()
  expect(storage.keys()).toEqual(['a'])
  expect(browser.entries.get('p.a')).toBe('1')
})

test('behavior: another tab is notified, by the key without its prefix', () => {
  const browser = createBrowser()
  const one = createClientStorage({ prefix: 'p.', ...browser.openTab() })
  const two = createClientStorage({ prefix: 'p.', ...browser.openTab() })
  const seen: string[] = []
  const stop = two.subscribe((key) => seen.push(key))
  one.set('a', '1')
  browser.openTab().area.setItem('other', 'x')
  expect(seen).toEqual(['a'])
  expect(two.get('a')).toBe('1')
  stop()
  one.remove('a')
  expect(seen).toEqual(['a'])
})

test('behavior: a full storage keeps it in memory, and what was there does not come back', () => {
  const browser = createBrowser()
  const { area, events } = browser.openTab()
  area.setItem('p.a', 'old')
  area.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const storage = createClientStorage({ prefix: 'p.', area, events })
  storage.set('a', 'new')
  expect(storage.get('a')).toBe('new')
  expect(storage.keys()).toEqual(['a'])
  expect(browser.entries.has('p.a')).toBe(false)
})

test('behavior: without a storage everything is in memory', () => {
  const storage = createClientStorage({ prefix: 'p.', area: undefined, events: undefined })
  storage.set('a', '1')
  expect(storage.get('a')).toBe('1')
  expect(storage.keys()).toEqual(['a'])
  storage.remove('a')
  expect(storage.get('a')).toBeUndefined()
})

test('behavior: notifies another app of the same page, but not the app that wrote', async () => {
  const tab = createBrowser().openTab()
  const one = createClientStorage({ prefix: 'p.', ...tab })
  const two = createClientStorage({ prefix: 'p.', ...tab })
  const other = createClientStorage({ prefix: 'q.', ...tab })
  const seen: string[] = []
  one.subscribe((key) => seen.push(`one ${key}`))
  other.subscribe((key) => seen.push(`other ${key}`))
  const stop = two.subscribe((key) => seen.push(`two ${key} ${two.get(key)}`))
  one.set('a', '1')
  expect(seen).toEqual([])
  await Promise.resolve()
  expect(seen).toEqual(['two a 1'])
  stop()
  one.remove('a')
  await Promise.resolve()
  expect(seen).toEqual(['two a 1'])
})
