import { activeNetwork, isSameAddress, type Network } from '@latchkey/core'
import type { Balance, ChainId, Namespace } from '@latchkey/wire'
import { useQueries, useQuery } from '@tanstack/react-query'
import { allAreasQuery, portfolioQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useActivityNews } from '../../views/account/useActivityNews.ts'
import { useConnections } from '../connections/useConnections.ts'

/** The balances of an account on the networks of its namespace. */
export type AccountPortfolio = {
  namespace: Namespace
  address: string
  networks: readonly Network[]
  /** Native currencies first, undefined until they are known. */
  data: readonly (Balance & { readonly chainId: ChainId })[] | undefined
  /** Networks whose balances are unknown. */
  missing: readonly ChainId[]
  error: Error | null
}

/**
 * The balances of several accounts, by default the accounts of all connected wallets in the order
 * of the app's networks, each account once. They are read on the selected network, and on the
 * others for which the server has balances. If the selected network is a test network, only test
 * networks count, otherwise only real networks, so that play money never adds to real money. An
 * account without such a network is left out. `isLoading` is true until each account was read or
 * has failed once.
 */
export function usePortfolios({
  accounts: given,
}: {
  accounts?: readonly { namespace: Namespace; address: string }[]
} = {}): {
  accounts: readonly AccountPortfolio[]
  isLoading: boolean
  isFetching: boolean
  refetch: () => Promise<unknown>
} {
  const app = useApp()
  const client = getQueryClient(app)
  const connections = useConnections()
  const networks = useAppState((state) => state.networks)
  const selected = useAppState(activeNetwork)
  const areas = useQuery(allAreasQuery(app), client)
  const areasOf = areas.data
  // If the server does not report its areas, all networks count as missing.
  const isOffered = (id: ChainId) => (areasOf ? areasOf(id).balance?.on === true : areas.isError)
  const shown = networks.filter(
    ({ testnet, caipNetworkId: id }) =>
      !testnet === !selected.testnet && (id === selected.caipNetworkId || isOffered(id)),
  )
  const connected = [...new Set(shown.map((one) => one.chainNamespace))].flatMap((namespace) => {
    const own = connections.filter((one) => one.namespace === namespace)
    // Two wallets may have the same account.
    return own.filter(
      ({ address: one }, index) =>
        own.findIndex(({ address: other }) => isSameAddress({ namespace, one, other })) === index,
    )
  })
  const accounts = (given ?? connected).flatMap(({ namespace, address }) => {
    const own = shown.filter((one) => one.chainNamespace === namespace)
    const chainIds = own.map(({ caipNetworkId }) => caipNetworkId)
    return own.length === 0 ? [] : { namespace, address, networks: own, chainIds }
  })
  const queries = accounts.map((account) => ({
    ...portfolioQuery(app, account),
    enabled: areasOf !== undefined,
  }))
  const results = useQueries({ queries }, client)
  useActivityNews((news) => {
    const index = accounts.findIndex(({ address }) => address === news.address)
    const changed = queries[index]
    if (news.type !== 'changed' || changed === undefined) return
    return client.invalidateQueries({ queryKey: changed.queryKey })
  })
  return {
    accounts: accounts.map(({ chainIds, ...account }, index) => {
      const result = results[index]
      return {
        ...account,
        data: result?.data?.balances,
        missing: result?.data?.missing ?? (areas.isError || result?.isError ? chainIds : []),
        error: areas.error ?? result?.error ?? null,
      }
    }),
    isLoading: [areas, ...results].some((one) => one.isLoading && one.failureCount === 0),
    isFetching: [areas, ...results].some(({ isFetching }) => isFetching),
    refetch: () =>
      areasOf ? Promise.all(results.map(({ refetch }) => refetch())) : areas.refetch(),
  }
}
