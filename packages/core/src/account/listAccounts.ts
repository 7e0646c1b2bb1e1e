import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import { type Account, listConnections, type State } from '../state.ts'

/** The accounts that are in use in all connected wallets, each once. */
export function listAccounts(state: State): readonly Account[] {
  const all = listConnections(state).map(({ account }) => account)
  // Two wallets may have the same account.
  return all.filter(
    ({ namespace, address: one }, index) =>
      all.findIndex(
        (other) =>
          other.namespace === namespace && isSameAddress({ namespace, one, other: other.address }),
      ) === index,
  )
}
