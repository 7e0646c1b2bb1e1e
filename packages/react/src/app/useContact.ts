import { type Contact, findContact } from '@latchkey/core/internal'
import { useMemo } from 'react'
import { useAppState } from './useAppState.ts'

/** The contact with an address; undefined if no contact has it. */
export function useContact(address: string): Contact | undefined {
  const contacts = useAppState((state) => state.contacts)
  return useMemo(() => findContact(contacts, address), [contacts, address])
}
