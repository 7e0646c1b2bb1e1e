import { type Contact, isSameAddress } from '@latchkey/core'
import { useAppState } from './useAppState.ts'

/** The contact with an address; undefined if no contact has it. */
export const useContact = (address: string): Contact | undefined =>
  useAppState(({ contacts }) =>
    contacts.find((one) =>
      isSameAddress({ namespace: one.namespace, one: one.address, other: address }),
    ),
  )
