import type { DirectoryWallet } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { Config } from '../index.ts'
import { getSavedWallets, saveWallets } from './savedWallets.ts'

const alder: DirectoryWallet = {
  id: 'a'.repeat(64),
  name: 'Alder',
  homepage: 'https://alder.example/',
  image_id: 'image',
  mobile_link: 'alder://',
  chains: ['eip155:1'],
}
const entry = 'latchkey.directoryWallets'

/** An app of a new visit in the same browser. */
const visit = (browser: ReturnType<typeof createBrowser>, config: Partial<Config> = {}) =>
  openApp(browser.openTab(), config)

test('default: the next visit has what the last one saw', () => {
  const browser = createBrowser()
  expect(getSavedWallets(visit(browser))).toBeUndefined()
  saveWallets(visit(browser), { count: 400, wallets: [alder] })
  expect(getSavedWallets(visit(browser))).toMatchObject({ count: 400, wallets: [alder] })
})

test('behavior: a list for other settings is not shown', () => {
  const browser = createBrowser()
  saveWallets(visit(browser), { count: 400, wallets: [alder] })
  expect(getSavedWallets(visit(browser, { wallets: { excludedIds: [alder.id] } }))).toBeUndefined()
})

test.each([
  ['a list of what are no wallets', { count: 1, wallets: [{ name: 'Alder' }] }],
  ['more wallets than are shown', { count: 13, wallets: Array(13).fill(alder) }],
  ['an invalid count', { count: -1, wallets: [alder] }],
  ['a part of a wallet', { count: 1.5, wallets: [alder] }],
  ['more than can be counted', { count: 1e300, wallets: [alder] }],
  ['an endless name', { count: 1, wallets: [{ ...alder, name: 'A'.repeat(20_000) }] }],
  ['a word', 'wallets'],
])('error: %s is dropped', (_, list) => {
  const browser = createBrowser()
  const app = visit(browser)
  saveWallets(app, { count: 1, wallets: [alder] })
  const saved = JSON.parse(browser.entries.get(entry) ?? '')
  const value = typeof list === 'string' ? list : { ...saved.value, ...list }
  browser.entries.set(entry, JSON.stringify({ ...saved, value }))
  expect(getSavedWallets(visit(browser))).toBeUndefined()
  expect(browser.entries.has(entry)).toBe(false)
})

test('behavior: a list that takes too much room is not kept, nor the one before it', () => {
  const browser = createBrowser()
  const app = visit(browser)
  saveWallets(app, { count: 1, wallets: [alder] })
  saveWallets(app, { count: 1, wallets: [{ ...alder, name: 'A'.repeat(20_000) }] })
  expect(browser.entries.has(entry)).toBe(false)
})
