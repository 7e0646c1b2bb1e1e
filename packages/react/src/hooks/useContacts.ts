import {
  type Contact,
  type ContactsFileProblem,
  type ContactsImport,
  exportContacts,
  importContacts,
  removeContact,
  type SavedContact,
  saveContact,
} from '@latchkey/core/internal'
import { useCallback } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/** The contacts of this browser by name, and how to change them, also from and to a file. */
export function useContacts(): {
  contacts: readonly Contact[]
  /**
   * Saves a contact, in place of `before` if given. Resolves to the saved contact or to the problem
   * of its name or address. If the address looks like a known address, nothing is saved. Show both
   * addresses of the `lookalike`, and pass it on in `accepted` if the user still wants to save.
   */
  save: (parameters: Parameters<typeof saveContact>[1]) => Promise<SavedContact>
  remove: (contact: Contact) => void
  /** The contacts as JSON. */
  exportJson: () => string
  /** Adds the contacts of an export. Never changes a contact. */
  importJson: (json: string) => Promise<ContactsImport | { problem: ContactsFileProblem }>
} {
  const app = useApp()
  return {
    contacts: useAppState((state) => state.contacts),
    save: useCallback(
      (parameters: Parameters<typeof saveContact>[1]) => saveContact(app, parameters),
      [app],
    ),
    remove: useCallback((contact: Contact) => removeContact(app, { contact }), [app]),
    exportJson: useCallback(() => exportContacts(app), [app]),
    importJson: useCallback((json: string) => importContacts(app, { json }), [app]),
  }
}
