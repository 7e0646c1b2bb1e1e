import { expect, test } from 'vitest'
import { alice } from '../test/fakeWallet.ts'
import { createBrowser } from '../test/tab.ts'
import { createStorage, type StorageArea } from './storage.ts'

const saved = {
  eip155: {
    connectorId: 'io.metamask',
    chainId: 'eip155:31337' as const,
    accounts: [{ namespace: 'eip155' as const, address: alice, type: 'eoa' as const }] as const,
  },
}

test('default', () => {
  const browser = createBrowser()
  const { area } = browser.openTab()
  createStorage({ area }).set('connections', saved)
  expect(createStorage({ area }).get('connections')).toEqual(saved)
  expect([...browser.entries]).toEqual([
    ['latchkey.connections', JSON.stringify({ version: 1, value: saved })],
  ])
  createStorage({ area }).remove('connections')
  expect(createStorage({ area }).get('connections')).toBeUndefined()
})

test.each([
  '{',
  'null',
  '1',
  '[]',
  '{"version":2,"value":{}}',
  '{"value":{}}',
  '{"version":1}',
  '{"version":1,"value":[]}',
  '{"version":1,"value":{"eip155":null}}',
  '{"version":1,"value":{"eip155":{"connectorId":"x","chainId":"eip155:x","accounts":[]}}}',
  '{"version":1,"value":{"eip155":{"connectorId":"x","chainId":"eip155:1","accounts":[]}}}',
  '{"version":1,"value":{"eip155":{"connectorId":1,"chainId":"eip155:1","accounts":[{"namespace":"eip155","address":"0x","type":"eoa"}]}}}',
  '{"version":1,"value":{"eip155":{"connectorId":"x","chainId":"eip155:1","accounts":[{"namespace":"x","address":"0x","type":"eoa"}]}}}',
])('behavior: the corrupt entry %s is dropped, not thrown', (entry) => {
  const browser = createBrowser()
  browser.entries.set('latchkey.connections', entry)
  const storage = createStorage(browser.openTab())
  expect(storage.get('connections')).toBeUndefined()
  expect(browser.entries.has('latchkey.connections')).toBe(false)
})

test.each([
  ['connections', 1_000],
  ['siwxSessions', 64],
  ['siwxSessions', 500_000],
] as const)('behavior: the entry %s of %i levels is dropped, not parsed', (key, levels) => {
  const browser = createBrowser()
  const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
  browser.entries.set(`latchkey.${key}`, `{"version":1,"value":${nested}}`)
  expect(createStorage(browser.openTab()).get(key)).toBeUndefined()
})

test('behavior: a full storage falls back to memory', () => {
  const area: StorageArea = {
    getItem: () => '{"version":1,"value":["old"]}',
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem() {},
    key: () => null,
    length: 0,
  }
  const storage = createStorage({ area })
  expect(storage.get('disconnected')).toEqual(['old'])
  storage.set('disconnected', ['new'])
  expect(storage.get('disconnected')).toEqual(['new'])
})

test('behavior: a forbidden storage falls back to memory', () => {
  const forbidden = () => {
    throw new DOMException('no', 'SecurityError')
  }
  const storage = createStorage({
    area: {
      getItem: forbidden,
      setItem: forbidden,
      removeItem: forbidden,
      key: forbidden,
      length: 0,
    },
  })
  expect(storage.get('disconnected')).toBeUndefined()
  storage.set('disconnected', ['a'])
  expect(storage.get('disconnected')).toEqual(['a'])
  storage.remove('disconnected')
  expect(storage.get('disconnected')).toBeUndefined()
})

test('behavior: notifies another tab once per change, and not of equal values', () => {
  const browser = createBrowser()
  const one = createStorage(browser.openTab())
  const two = createStorage(browser.openTab())
  const seen: string[] = []
  const stop = two.subscribe((key) => seen.push(key))
  one.set('disconnected', ['a'])
  one.set('disconnected', ['a'])
  browser.openTab().area.setItem('other', 'x')
  browser.openTab().area.setItem('latchkey.unknown', 'x')
  expect(seen).toEqual(['disconnected'])
  stop()
  one.set('disconnected', ['b'])
  expect(seen).toEqual(['disconnected'])
})

test('param: storageKey: two apps of one origin do not share what they store', () => {
  const browser = createBrowser()
  const { area } = browser.openTab()
  const other = browser.openTab()
  createStorage({ area }).set('disconnected', ['a'])
  const shop = createStorage({ ...other, storageKey: 'shop' })
  expect(shop.get('disconnected')).toBeUndefined()
  const seen: string[] = []
  shop.subscribe((key) => seen.push(key))
  createStorage({ area }).set('disconnected', ['b'])
  createStorage({ area, storageKey: 'shop' }).set('disconnected', ['c'])
  expect([...browser.entries.keys()]).toEqual(['latchkey.disconnected', 'shop.disconnected'])
  expect(seen).toEqual(['disconnected'])
})
