import { isSameAddress } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import type { Payee } from './usePayee.ts'

/**
 * The receiver that a new link names: the account's name if it leads to the account on the link's
 * network, otherwise the address. A primary name may lead elsewhere there, or be expired.
 */
export function chooseReceiver({
  name,
  payee,
  namespace,
  address,
}: {
  name: string
  /** The account that the name leads to on the link's network. */
  payee: Payee
  namespace: Namespace
  address: string
}): string {
  const isOwn =
    payee.status === 'found' && isSameAddress({ namespace, one: payee.address, other: address })
  return isOwn ? name : address
}
