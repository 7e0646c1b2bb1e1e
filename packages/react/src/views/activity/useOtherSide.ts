import { getOtherSide } from '@latchkey/core/internal'
import { findLookalike, type HistoryTransaction } from '@latchkey/wire'
import { useAppState } from '../../app/useAppState.ts'
import { useContact } from '../../app/useContact.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/**
 * The other side of a transaction: its address, its name and picture if they are known, or the
 * `known` address that it imitates. The name of a contact precedes the public name.
 */
export function useOtherSide(transaction: HistoryTransaction, known: readonly string[]) {
  const { address = '' } = useAccount()
  const { chainNamespace: namespace } = useNetwork().network
  const other = getOtherSide(transaction, { namespace, address })
  const lookalike = findLookalike(other, known)
  const profile = useAppState((state) => state.profiles[`${transaction.metadata.chain}:${other}`])
  const contact = useContact(other)
  const isNamed = lookalike === undefined && profile?.name !== undefined
  return {
    address: other,
    lookalike,
    name: contact?.name ?? (isNamed ? profile.name : undefined),
    imageUrl: isNamed ? profile.imageUrl : undefined,
  }
}

/** The other side of a transaction. */
export type OtherSide = ReturnType<typeof useOtherSide>
