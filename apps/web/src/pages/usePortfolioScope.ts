import type { Network } from '@latchkey/core'
import { useBalances, useNetwork, usePortfolio } from '@latchkey/react'
import type { Balance } from '@latchkey/wire'
import { useState } from 'react'

/** A network's id, `all` networks, or undefined for the selected network. */
type Scope = string | undefined

/** A balance on one network. */
export type NetworkBalance = { balance: Balance; network: Network }

/** The state of the shown balances. */
export type Holdings = Pick<
  ReturnType<typeof useBalances>,
  | ('totalValue' | 'unpriced' | 'failedAtMs' | 'retryInSeconds' | 'error')
  | ('isLoading' | 'isAvailable' | 'isFetching')
> & {
  refetch: () => unknown
  rows: readonly NetworkBalance[] | undefined
  /** Networks that could not be read. */
  missing: readonly Network[]
}

/**
 * The networks that the portfolio shows, and the assets on them: the selected network until the
 * user chooses another, or all networks of the same kind. Real networks and test networks are never
 * added up.
 */
export function usePortfolioScope() {
  const { network: selected } = useNetwork()
  const [chosen, setChosen] = useState<Scope>()
  const own = useBalances()
  // Another account may have other networks.
  const everywhere = usePortfolio({ query: { enabled: chosen !== undefined } })
  const { networks } = everywhere
  const isKnown = chosen === 'all' || networks.some((one) => one.caipNetworkId === chosen)
  const isOwn = !isKnown || chosen === selected.caipNetworkId
  const scope = isOwn ? selected : networks.find((one) => one.caipNetworkId === chosen)
  const holdings: Holdings = isOwn
    ? {
        ...own,
        rows: own.data?.map((balance) => ({ balance, network: selected })),
        missing: [],
      }
    : toHoldings(everywhere, scope)
  return {
    /** Undefined for all networks. */
    scope,
    networks,
    holdings,
    choose: (id: string) => setChosen(id === selected.caipNetworkId ? undefined : id),
  }
}

function toHoldings(
  { networks, data: balances, missing, ...query }: ReturnType<typeof usePortfolio>,
  scope: Network | undefined,
): Holdings {
  const shown = scope ? [scope] : networks
  const rows = balances?.flatMap((balance) => {
    const network = shown.find((one) => one.caipNetworkId === balance.chainId)
    return network ? [{ balance, network }] : []
  })
  const values = rows?.flatMap(({ balance: { value } }) => (value === undefined ? [] : [value]))
  return {
    ...query,
    rows,
    missing: shown.filter((one) => missing.includes(one.caipNetworkId)),
    totalValue: values?.length ? values.reduce((sum, value) => sum + value, 0) : undefined,
    unpriced: (rows?.length ?? 0) - (values?.length ?? 0),
    failedAtMs: undefined,
    retryInSeconds: 0,
    isAvailable: true,
  }
}
