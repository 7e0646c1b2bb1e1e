import type { Network } from '@latchkey/core'
import {
  type AccountPortfolio,
  sumDollars,
  useAccount,
  useBalances,
  useConnections,
  useNetwork,
  usePortfolios,
} from '@latchkey/react'
import type { Balance } from '@latchkey/wire'
import { useChosenAccount } from './useChosenAccount.ts'

/** A balance on one network. */
export type NetworkBalance = { balance: Balance; network: Network }

/** A balance of a connected account, by its address. */
type HeldBalance = NetworkBalance & { account: string }

/** A connected account with what is known of its balances. */
export type HeldAccount = {
  address: string
  /** Whether the actions of its networks use it. */
  isInUse: boolean
  networks: AccountPortfolio['networks']
  rows: readonly HeldBalance[]
  /** In dollars, undefined if no price is known. */
  totalValue: number | undefined
}

/** The shown accounts and their balances. */
export type Holdings = ReturnType<typeof useHoldings>

/**
 * The balances of all connected accounts, or of the account that the user chooses, on all networks
 * of a kind. The account in use on the selected network is read separately, because its balances
 * have other sources if the server fails.
 */
export function useHoldings() {
  const { network: selected } = useNetwork()
  const { chosen, choose } = useChosenAccount()
  const { address: current } = useAccount()
  const used = useConnections().filter(({ isInUse }) => isInUse)
  const own = useBalances()
  const all = usePortfolios()
  const isOwn = (address: string, { caipNetworkId: id }: Network) =>
    address === current && id === selected.caipNetworkId
  // An account that was just put in use was read before, with the others.
  const isReadBefore = all.accounts.some(
    ({ address, data, missing }) =>
      address === current && data !== undefined && !missing.includes(selected.caipNetworkId),
  )
  const isCounting = all.isLoading || (own.isLoading && !isReadBefore)
  const accounts = all.accounts.map(({ address, networks, data }): HeldAccount => {
    const rows = networks.flatMap((network) => {
      const balances =
        isOwn(address, network) && !own.isLoading
          ? own.data
          : data?.filter(({ chainId }) => chainId === network.caipNetworkId)
      return (balances ?? []).map((balance) => ({ balance, network, account: address }))
    })
    const isInUse = used.some((one) => one.address === address)
    return { address, isInUse, networks, rows, totalValue: sumRows(rows) }
  })
  const account = accounts.find(({ address }) => address === chosen)
  const isReadByItself = own.data !== undefined || own.isLoading || !own.isAvailable
  const missing = all.accounts
    .filter(({ address }) => account === undefined || address === account.address)
    .flatMap(({ address, networks, missing }) =>
      networks.filter((network) =>
        isOwn(address, network) ? !isReadByItself : missing.includes(network.caipNetworkId),
      ),
    )
  const shown = account ? [account] : accounts
  const rows = shown.flatMap((one) => one.rows).toSorted(byValue)
  return {
    accounts,
    /** Undefined for all accounts. */
    account,
    choose,
    /** Whether actions, activity and NFTs concern the account that is named. */
    isActive: account === undefined || account.address === current,
    /** The accounts that are shown. */
    shown,
    /** Undefined until all were read or have failed, so that no row moves later. */
    rows: isCounting || (own.data === undefined && rows.length === 0) ? undefined : rows,
    totalValue: sumRows(rows),
    unpriced: rows.filter(({ balance }) => balance.value === undefined).length,
    /** Networks that could not be read. */
    missing: [...new Set(missing)],
    /** Whether the total is not known yet. */
    isCounting,
    own,
    retry: () => Promise.all([own.refetch(), all.refetch()]),
  }
}

/** The value of balances in dollars, undefined if no price is known. */
export const sumRows = (rows: readonly NetworkBalance[]) =>
  sumDollars(rows.map(({ balance }) => balance.value))

/** The most valuable first, and those without a price last. */
const byValue = (a: NetworkBalance, b: NetworkBalance) =>
  (b.balance.value ?? -1) - (a.balance.value ?? -1)
