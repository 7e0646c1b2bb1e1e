import { cleanText, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { App } from '../app.ts'
import { readKnownAddresses } from '../send/knownAddresses.ts'
import { parse } from '../server/parse.ts'
import type { Contact } from '../state.ts'
import { isSameContact, listContacts, placeContact, writeContacts } from './contacts.ts'
import { type ContactProblem, checkContact, findResembled } from './saveContact.ts'

const maxFileBytes = 200_000
/** The most characters of an entry's name and address that a refusal shows. */
const maxShown = { name: 60, address: 100 }

const contactsFile = z.object({ version: z.literal(1), contacts: z.array(z.unknown()) })
const fileEntry = z.object({ name: z.string(), address: z.string() })

/**
 * An entry that was left out, in clean text. `nameTaken`: a contact with another address has the
 * name. `addressTaken`: a contact with another name has the address. `lookalike`: the address looks
 * like another address that the user knows.
 */
type RefusedContact = {
  name: string
  address: string
  reason: ContactProblem | 'unreadable' | 'lookalike'
}

/** The number of new contacts, and the entries that were left out. */
export type ContactsImport = { added: number; refused: readonly RefusedContact[] }

/** Why no entry of a file was imported. */
export type ContactsFileProblem = 'fileTooLarge' | 'fileUnreadable'

type CheckedEntry = { contact: Contact } | { refused: RefusedContact }

/**
 * Adds the contacts of an export of at most 200 kB to the contacts of this browser, which it never
 * changes: a name that became free could get another address. Throws only if the code of a
 * namespace cannot be loaded.
 */
export async function importContacts(
  app: App,
  { json }: { json: string },
): Promise<ContactsImport | { problem: ContactsFileProblem }> {
  if (json.length > maxFileBytes || toBytes(json).length > maxFileBytes)
    return { problem: 'fileTooLarge' }
  const file = readFile(json)
  if (file === undefined) return { problem: 'fileUnreadable' }
  const entries = await Promise.all(file.contacts.map((entry) => checkEntry(app, entry)))
  return mergeEntries(app, { entries, known: await readKnownAddresses(app) })
}

const toBytes = (text: string) => new TextEncoder().encode(text)

function readFile(json: string) {
  try {
    return parse(contactsFile, parseBoundedJson(json))
  } catch {
    return undefined
  }
}

/** Checks one entry, whose address is `${namespace}:${address}`. */
async function checkEntry(app: App, entry: unknown): Promise<CheckedEntry> {
  const data = parse(fileEntry, entry)
  if (data === undefined) return { refused: { name: '', address: '', reason: 'unreadable' } }
  const [namespace, ...rest] = data.address.split(':')
  const checked = await checkContact(app, { name: data.name, address: rest.join(':') })
  if ('problem' in checked) return refuse(data, checked.problem)
  return checked.contact.namespace === namespace ? checked : refuse(data, 'addressInvalid')
}

const refuse = (
  { name, address }: { name: string; address: string },
  reason: RefusedContact['reason'],
): { refused: RefusedContact } => ({
  refused: {
    name: cleanText(name, { maxLength: maxShown.name }) ?? '',
    address: cleanText(address, { maxLength: maxShown.address }) ?? '',
    reason,
  },
})

/** Merges in one task with what other tabs have saved. */
function mergeEntries(
  app: App,
  { entries, known }: { entries: readonly CheckedEntry[]; known: readonly string[] },
): ContactsImport {
  const refused: RefusedContact[] = []
  const before = listContacts(app)
  let contacts = before
  for (const entry of entries) {
    if ('refused' in entry) {
      refused.push(entry.refused)
      continue
    }
    const { contact } = entry
    const { namespace, name, address } = contact
    if (contacts.some((one) => one.name === name && isSameContact(one, contact))) continue
    const placed = placeContact(contacts, { contact })
    const others = [...known, ...contacts.map((one) => one.address)]
    if (typeof placed === 'string' || findResembled(address, others) !== undefined) {
      const reason = typeof placed === 'string' ? placed : 'lookalike'
      refused.push(refuse({ name, address: `${namespace}:${address}` }, reason).refused)
      continue
    }
    contacts = placed
  }
  const added = contacts.length - before.length
  if (added > 0) writeContacts(app, contacts)
  return { added, refused }
}
