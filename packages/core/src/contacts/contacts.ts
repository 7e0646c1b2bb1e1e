import type { App } from '../app.ts'
import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import type { Contact } from '../state.ts'

/** How many contacts are kept. */
const maxContacts = 500

/** Why a contact cannot be placed among others. */
export type PlaceProblem = 'nameTaken' | 'addressTaken' | 'full'

/** The contacts of this browser, by name. */
export const listContacts = ({ storage }: App): readonly Contact[] => storage.get('contacts') ?? []

/** Saves a list of contacts and shows it. */
export function writeContacts(app: App, contacts: readonly Contact[]): void {
  const sorted = [...contacts].sort((one, other) => one.name.localeCompare(other.name))
  app.storage.set('contacts', sorted)
  app.store.setState({ contacts: sorted })
}

/** Removes a contact, here and in other tabs. */
export const removeContact = (app: App, { contact }: { contact: Contact }): void =>
  writeContacts(
    app,
    listContacts(app).filter((one) => !isSameContact(one, contact)),
  )

/** The contacts as JSON, which `importContacts` reads. */
export function exportContacts(app: App): string {
  const contacts = listContacts(app).map(({ namespace, name, address }) => ({
    name,
    address: `${namespace}:${address}`,
  }))
  return `${JSON.stringify({ version: 1, contacts }, undefined, 2)}\n`
}

/** Adds a contact to others, in place of `before` if given; or returns why that is impossible. */
export function placeContact(
  contacts: readonly Contact[],
  { contact, before }: { contact: Contact; before?: Contact | undefined },
): readonly Contact[] | PlaceProblem {
  const others = before ? contacts.filter((one) => !isSameContact(one, before)) : contacts
  if (others.some((one) => isSameContact(one, contact))) return 'addressTaken'
  const key = getNameKey(contact.name)
  const isTaken = ({ namespace, name }: Contact) =>
    namespace === contact.namespace && getNameKey(name) === key
  if (others.some(isTaken)) return 'nameTaken'
  return others.length < maxContacts ? [...others, contact] : 'full'
}

/** Whether two contacts have one address. */
export const isSameContact = (one: Contact, other: Contact): boolean =>
  one.namespace === other.namespace &&
  isSameAddress({ namespace: one.namespace, one: one.address, other: other.address })

/** The form in which names are compared: in lower case, without invisible characters. */
export const getNameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase()
