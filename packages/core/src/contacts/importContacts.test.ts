import { afterEach, expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { exportContacts, listContacts } from './contacts.ts'
import { importContacts } from './importContacts.ts'
import { saveContact } from './saveContact.ts'

const solana = 'So11111111111111111111111111111111111111112'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const lookalike = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`.toLowerCase()

let apps: App[] = []
afterEach(() => {
  for (const app of apps) app.destroy()
  apps = []
})

async function open(contacts: Record<string, string> = {}) {
  const app = openApp(createBrowser().openTab())
  apps.push(app)
  for (const [name, address] of Object.entries(contacts)) await saveContact(app, { name, address })
  return app
}

const write = (contacts: unknown) => JSON.stringify({ version: 1, contacts })

test('default: another browser imports what was exported', async () => {
  const app = await open({ Ada: alice, 'Bob „B“ \\ "': bob, Sol: solana })
  const json = exportContacts(app)
  expect(JSON.parse(json)).toEqual({
    version: 1,
    contacts: [
      { name: 'Ada', address: `eip155:${alice}` },
      { name: 'Bob „B“ \\ "', address: `eip155:${bob}` },
      { name: 'Sol', address: `solana:${solana}` },
    ],
  })
  const other = await open({ Carol: carol })
  expect(await importContacts(other, { json })).toEqual({ added: 3, refused: [] })
  expect(listContacts(other)).toEqual([
    ...listContacts(app).slice(0, 2),
    { namespace: 'eip155', name: 'Carol', address: carol },
    ...listContacts(app).slice(2),
  ])
  expect(await importContacts(other, { json })).toEqual({ added: 0, refused: [] })
})

test('security: a contact never gets another address, and every refused entry is listed', async () => {
  const app = await open({ Ada: alice, Bob: bob })
  const entries = [
    { name: 'ada', address: `eip155:${carol}` },
    { name: 'Robert', address: `eip155:${bob.toLowerCase()}` },
    { name: 'Twin', address: `eip155:${lookalike}` },
    { name: 'Sol', address: `eip155:${solana}` },
    { name: 'No\u202ene', address: 'eip155:0x12' },
    { name: ' ', address: `eip155:${carol}` },
    { name: 'Plain', address: carol },
    { address: `eip155:${carol}` },
    null,
  ]
  expect(await importContacts(app, { json: write(entries) })).toEqual({
    added: 0,
    refused: [
      { name: 'ada', address: `eip155:${carol}`, reason: 'nameTaken' },
      { name: 'Robert', address: `eip155:${bob}`, reason: 'addressTaken' },
      { name: 'Twin', address: expect.stringMatching(/^eip155:0x7099/), reason: 'lookalike' },
      { name: 'Sol', address: `eip155:${solana}`, reason: 'addressInvalid' },
      { name: 'None', address: 'eip155:0x12', reason: 'addressInvalid' },
      { name: '', address: `eip155:${carol}`, reason: 'nameEmpty' },
      { name: 'Plain', address: carol, reason: 'addressInvalid' },
      { name: '', address: '', reason: 'unreadable' },
      { name: '', address: '', reason: 'unreadable' },
    ],
  })
  expect(listContacts(app)).toEqual([
    { namespace: 'eip155', name: 'Ada', address: alice },
    { namespace: 'eip155', name: 'Bob', address: bob },
  ])
})

test('security: a file cannot free the name of a contact and give it to another address', async () => {
  const app = await open({ Ada: alice })
  const entries = [
    { name: 'x', address: `eip155:${alice}` },
    { name: 'Ada', address: `eip155:${carol}` },
  ]
  expect(await importContacts(app, { json: write(entries) })).toEqual({
    added: 0,
    refused: [
      { name: 'x', address: `eip155:${alice}`, reason: 'addressTaken' },
      { name: 'Ada', address: `eip155:${carol}`, reason: 'nameTaken' },
    ],
  })
  expect(listContacts(app)).toEqual([{ namespace: 'eip155', name: 'Ada', address: alice }])
})

test('security: no lookalike of a contact is imported, even if it was paid before', async () => {
  const app = await open({ Bob: bob })
  app.storage.set('recipients', [lookalike])
  const json = write([{ name: 'Twin', address: `eip155:${lookalike}` }])
  expect(await importContacts(app, { json })).toMatchObject({
    added: 0,
    refused: [{ reason: 'lookalike' }],
  })
})

test.each([
  ['fileUnreadable', ''],
  ['fileUnreadable', '{"version":1,"contacts":['],
  ['fileUnreadable', '[]'],
  ['fileUnreadable', '{"version":2,"contacts":[]}'],
  ['fileUnreadable', '{"version":1,"contacts":{}}'],
  ['fileUnreadable', '['.repeat(100_000)],
  ['fileTooLarge', 'x'.repeat(200_001)],
  ['fileTooLarge', 'é'.repeat(100_001)],
])('error: %s, and nothing is lost', async (problem, json) => {
  const app = await open({ Ada: alice })
  expect(await importContacts(app, { json })).toEqual({ problem })
  expect(listContacts(app)).toHaveLength(1)
})

test('behavior: a full list refuses more, and what another tab saves meanwhile stays', async () => {
  const app = await open()
  const entries = Array.from({ length: 501 }, (_, index) => ({
    name: `Contact ${index}`,
    address: `eip155:0x${(index + 1).toString(16).padStart(40, '0')}`,
  }))
  const running = importContacts(app, { json: write(entries) })
  app.storage.set('contacts', [{ namespace: 'eip155', name: 'Ada', address: alice }])
  expect(await running).toMatchObject({
    added: 499,
    refused: [
      { name: 'Contact 499', reason: 'full' },
      { name: 'Contact 500', reason: 'full' },
    ],
  })
  expect(listContacts(app)).toHaveLength(500)
  expect(listContacts(app)[0]).toMatchObject({ name: 'Ada' })
})
