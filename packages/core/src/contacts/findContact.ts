import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import type { Contact } from '../state.ts'

/** The contact with an address, in any spelling; undefined if no contact has it. */
export const findContact = (contacts: readonly Contact[], address: string): Contact | undefined =>
  contacts.find((one) =>
    isSameAddress({ namespace: one.namespace, one: one.address, other: address }),
  )
