import type { HistoryTransaction } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getNoteKey, getNotes, saveNote } from './notes.ts'

const transaction = (hash: string, id = hash): HistoryTransaction => ({
  id,
  metadata: {
    ...{ operationType: 'send', hash, minedAt: '2026-01-01T00:00:00Z', sentFrom: '', sentTo: '' },
    ...{ nonce: 0, chain: 'eip155:31337' },
    status: 'confirmed',
  },
  transfers: [],
})
const dinner = transaction('0x1')

test('default: a note is kept between visits, and an empty note is removed', () => {
  const browser = createBrowser()
  saveNote(openApp(browser.openTab()), { transaction: dinner, note: ' Dinner on Friday ' })
  const app = openApp(browser.openTab())
  expect([...getNotes(app)]).toEqual([['eip155:31337:0x1', 'Dinner on Friday']])
  expect(saveNote(app, { transaction: dinner, note: ' ' }).size).toBe(0)
  expect(getNotes(app).size).toBe(0)
})

test('behavior: a note that cannot be read takes no other note with it', () => {
  const browser = createBrowser()
  const kept = { 'eip155:1:0x1': 'kept', 'eip155:1:0x2': 7, 'eip155:1:0x3': 'also kept' }
  browser.entries.set('latchkey.activityNotes', JSON.stringify({ version: 1, value: kept }))
  const app = openApp(browser.openTab())
  saveNote(app, { transaction: dinner, note: 'Dinner' })
  expect([...getNotes(app).values()]).toEqual(['kept', 'also kept', 'Dinner'])
})

test('behavior: a transaction without a hash has the note of its id', () => {
  expect(getNoteKey(transaction('', 'eip155:1:balance:7'))).toBe('eip155:1:balance:7')
})

test('behavior: a note is one line of at most 200 characters, without hidden characters', () => {
  const app = openApp()
  saveNote(app, { transaction: dinner, note: `a\u202e\nb${'x'.repeat(300)}` })
  const note = getNotes(app).get('eip155:31337:0x1')
  expect(note).toMatch(/^a bx+…$/)
  expect(note).toHaveLength(200)
})

test('behavior: 500 notes at most, and the latest written stay', () => {
  const app = openApp()
  for (let each = 0; each < 501; each++)
    saveNote(app, { transaction: transaction(`0x${each}`), note: `note ${each}` })
  saveNote(app, { transaction: transaction('0x1'), note: 'written again' })
  saveNote(app, { transaction: transaction('0xnew'), note: 'new' })
  const notes = getNotes(app)
  expect(notes.size).toBe(500)
  expect(notes.get('eip155:31337:0x1')).toBe('written again')
  expect(notes.has('eip155:31337:0x2')).toBe(false)
  expect([...notes.values()].at(-1)).toBe('new')
})
