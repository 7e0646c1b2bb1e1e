import { afterEach, expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { getKnownAddresses } from '../send/knownAddresses.ts'
import { listContacts, removeContact } from './contacts.ts'
import { saveContact } from './saveContact.ts'

const solana = 'So11111111111111111111111111111111111111112'
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const polkadot = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'

let apps: App[] = []
afterEach(() => {
  for (const app of apps) app.destroy()
  apps = []
})

function open(browser = createBrowser()) {
  const app = openApp(browser.openTab())
  apps.push(app)
  return app
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    namespace: 'eip155' as const,
    name: `Contact ${index}`,
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
  }))

test('default: a contact has its checksum, is in other tabs and after a reload, until it is removed', async () => {
  const browser = createBrowser()
  const app = open(browser)
  const other = open(browser)
  const saved = await saveContact(app, { name: ' Zoe  Z ', address: ` ${bob.toLowerCase()}\u200b` })
  const zoe = { namespace: 'eip155', name: 'Zoe Z', address: bob } as const
  expect(saved).toEqual({ contact: zoe })
  await saveContact(app, { name: 'Ada', address: alice })
  const ada = { namespace: 'eip155', name: 'Ada', address: alice } as const
  await settle()
  for (const one of [app, other, open(browser)]) {
    expect(one.store.getState().contacts).toEqual([ada, zoe])
    expect(getKnownAddresses(one, [])).toEqual([alice, bob])
  }
  removeContact(other, { contact: ada })
  await settle()
  expect(app.store.getState().contacts).toEqual([zoe])
  expect(listContacts(app)).toEqual([zoe])
})

test.each([
  ['eip155', bob.toLowerCase(), bob],
  ['solana', solana, solana],
  ['bip122', bitcoin.toUpperCase(), bitcoin],
  ['polkadot', polkadot, polkadot],
])('default: the address decides the namespace, which is %s', async (namespace, typed, address) => {
  const saved = await saveContact(open(), { name: 'Ada', address: typed })
  expect(saved).toMatchObject({ contact: { namespace, address } })
})

test.each([
  ['nameEmpty', ' ', bob],
  ['nameEmpty', '\u202e\u200b\u200d\u2060', bob],
  ['nameTooLong', 'x'.repeat(61), bob],
  ['nameIsAddress', alice, bob],
  ['nameIsAddress', `\u200b${solana}`, bob],
  ['addressInvalid', 'Ada', ''],
  ['addressInvalid', 'Ada', `${bob}0`],
  // One character of the checksum is wrong.
  ['addressMistyped', 'Ada', bob.replace('C51', 'c51')],
  ['addressInvalid', 'Ada', solana.slice(1)],
  ['addressMistyped', 'Ada', `${bitcoin.slice(0, -1)}5`],
  ['addressMistyped', 'Ada', `${polkadot.slice(0, -1)}Z`],
  ['addressZero', 'Ada', `0x${'0'.repeat(40)}`],
])('error: %s for the name %j and the address %j', async (problem, name, address) => {
  const app = open()
  expect(await saveContact(app, { name, address })).toEqual({ problem })
  expect(listContacts(app)).toEqual([])
})

test('security: no characters that are invisible or turn the direction of a name', async () => {
  const app = open()
  await saveContact(app, { name: 'A\u202ed\u200ba\u2066\n!', address: bob })
  expect(listContacts(app)).toMatchObject([{ name: 'Ada !' }])
  // The joiner, which some scripts need, makes no other name.
  const twin = await saveContact(app, { name: 'aD\u200dA !', address: alice })
  expect(twin).toEqual({ problem: 'nameTaken' })
})

test('behavior: a name is unique in its namespace, and an address has one contact', async () => {
  const app = open()
  await saveContact(app, { name: 'Ada', address: bob })
  expect(await saveContact(app, { name: 'ADA', address: alice })).toEqual({ problem: 'nameTaken' })
  expect(await saveContact(app, { name: 'Bo', address: bob.toLowerCase() })).toEqual({
    problem: 'addressTaken',
  })
  expect(await saveContact(app, { name: 'Ada', address: solana })).toHaveProperty('contact')
  const before = listContacts(app).find(({ namespace }) => namespace === 'eip155')
  await saveContact(app, { name: 'ada', address: alice, before })
  expect(listContacts(app)).toEqual([
    { namespace: 'eip155', name: 'ada', address: alice },
    { namespace: 'solana', name: 'Ada', address: solana },
  ])
})

test('behavior: two tabs that save at the same time keep both contacts', async () => {
  const browser = createBrowser()
  const [one, two] = [open(browser), open(browser)]
  await Promise.all([
    saveContact(one, { name: 'Ada', address: alice }),
    saveContact(two, { name: 'Bob', address: bob }),
  ])
  expect(listContacts(one)).toHaveLength(2)
  expect(listContacts(open(browser))).toHaveLength(2)
})

test('behavior: 500 contacts at most, which can still be changed', async () => {
  const app = open()
  app.storage.set('contacts', many(500))
  expect(await saveContact(app, { name: 'Ada', address: bob })).toEqual({ problem: 'full' })
  const [before] = listContacts(app)
  expect(await saveContact(app, { name: 'Ada', address: bob, before })).toHaveProperty('contact')
  expect(listContacts(app)).toHaveLength(500)
})

test('behavior: a stored contact that cannot be read does not cost the others', () => {
  const browser = createBrowser()
  const [good] = many(1)
  const bad = [null, 'x', { ...good, name: 1 }, { ...good, namespace: 'other' }, {}]
  const value = JSON.stringify({ version: 1, value: [...bad, good] })
  browser.entries.set('latchkey.contacts', value)
  expect(open(browser).store.getState().contacts).toEqual([good])
})

const imitation = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`.toLowerCase()

test('security: an imitation of a known address is saved only if the user has accepted both', async () => {
  const app = open()
  // The imitation was paid first in this browser.
  app.storage.set('recipients', [imitation, bob])
  const typed = { name: 'Bob', address: imitation }
  const saved = await saveContact(app, typed)
  const address = expect.stringMatching(new RegExp(`^${imitation}$`, 'i'))
  expect(saved).toEqual({ lookalike: { address, known: bob } })
  if (!('lookalike' in saved)) throw new Error('It is saved')
  const accepted = { ...saved.lookalike, known: alice }
  expect(await saveContact(app, { ...typed, accepted })).toEqual(saved)
  expect(listContacts(app)).toEqual([])
  expect(await saveContact(app, { ...typed, accepted: saved.lookalike })).toHaveProperty('contact')
  expect(listContacts(app)).toHaveLength(1)
})

test('security: an imitation of an address that the account has paid is not saved', async () => {
  const sent = {
    id: 'a',
    metadata: {
      ...{ operationType: 'send', hash: '0x1', minedAt: '2026-01-01T00:00:00Z' },
      ...{ sentFrom: alice, sentTo: bob, status: 'confirmed', nonce: 1, chain: 'eip155:31337' },
    },
    transfers: [{ direction: 'out', quantity: { numeric: '1' } }],
  }
  const app = openApp({
    ...createBrowser().openTab(),
    connectors: [fakeConnector({ id: 'a.b', wallet: createFakeWallet() })],
    fetch: async () => Response.json({ data: [sent], next: null }),
  })
  apps.push(app)
  await connect(app, { connectorId: 'a.b' })
  const saved = await saveContact(app, { name: 'Bob', address: imitation })
  expect(saved).toMatchObject({ lookalike: { known: bob } })
  expect(listContacts(app)).toEqual([])
})
