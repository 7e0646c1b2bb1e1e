import { cleanText, findLookalike, namespaces, stripBlanks } from '@latchkey/wire'
import { formatAddress, isAddress } from '../account/address.ts'
import type { App } from '../app.ts'
import { findAccount } from '../names/findAccount.ts'
import { isName } from '../names/isName.ts'
import { hasAddressForm, isZeroAddress } from '../namespaces/namespaceMetadata.ts'
import { readKnownAddresses } from '../send/knownAddresses.ts'
import type { Contact } from '../state.ts'
import {
  getNameKey,
  listContacts,
  type PlaceProblem,
  placeContact,
  writeContacts,
} from './contacts.ts'

const maxNameLength = 60

/** Why a contact is not saved. */
export type ContactProblem =
  | PlaceProblem
  | 'nameEmpty'
  | 'nameTooLong'
  | 'nameIsAddress'
  | 'addressInvalid'
  | 'addressMistyped'
  | 'addressUnknown'
  | 'addressZero'

/** The address of a contact, and the `known` address for which it could be mistaken. */
export type ContactLookalike = { address: string; known: string }

/** The saved contact, or why nothing was saved. */
export type SavedContact =
  | { contact: Contact }
  | { lookalike: ContactLookalike }
  | { problem: ContactProblem }

/**
 * Saves a contact, in place of the contact `before` if given. The address decides the namespace.
 * If a name stands in its place, the name's present address is saved. An address that could be
 * mistaken for a known address is only saved if the user has seen both, which are `accepted` then.
 * Throws the errors of `resolveName`, and if the code of the namespace cannot be loaded.
 */
export async function saveContact(
  app: App,
  {
    name,
    address,
    before,
    accepted,
  }: {
    name: string
    address: string
    before?: Contact | undefined
    accepted?: ContactLookalike | undefined
  },
): Promise<SavedContact> {
  const found = isName(address) ? await findAccount(app, address) : { address }
  if (found === undefined || found === 'mistyped') return { problem: 'addressUnknown' }
  const checked = await checkContact(app, { name, address: found.address })
  if ('problem' in checked) return checked
  const { contact } = checked
  const known = findResembled(contact.address, await readKnownAddresses(app))
  // Read last, because another tab may have saved a contact meanwhile.
  const placed = placeContact(listContacts(app), { contact, before })
  if (typeof placed === 'string') return { problem: placed }
  const isAccepted = accepted?.address === contact.address && accepted.known === known
  if (known !== undefined && !isAccepted) return { lookalike: { address: contact.address, known } }
  writeContacts(app, placed)
  return { contact }
}

/**
 * Finds another known address that looks like `address`, no matter which of them was known first:
 * an imitation may have been paid before.
 */
export const findResembled = (address: string, known: readonly string[]): string | undefined =>
  findLookalike(
    address,
    known.filter((one) => one.toLowerCase() !== address.toLowerCase()),
  )

/** Cleans a name and an address, and finds the namespace of the address. */
export async function checkContact(
  app: App,
  typed: { name: string; address: string },
): Promise<{ contact: Contact } | { problem: ContactProblem }> {
  const name = cleanText(typed.name, { maxLength: 2 * maxNameLength })
  if (name === null || getNameKey(name) === '') return { problem: 'nameEmpty' }
  if (name.length > maxNameLength) return { problem: 'nameTooLong' }
  if (findNamespace(name) !== undefined) return { problem: 'nameIsAddress' }
  const address = stripBlanks(typed.address)
  const namespace = findNamespace(address)
  if (namespace === undefined) return { problem: 'addressInvalid' }
  if (!(await isAddress(app, { namespace, address }))) return { problem: 'addressMistyped' }
  if (isZeroAddress({ namespace, address })) return { problem: 'addressZero' }
  return { contact: { namespace, name, address: await formatAddress(app, { namespace, address }) } }
}

const findNamespace = (text: string) =>
  namespaces.find((namespace) => hasAddressForm({ namespace, text }))
