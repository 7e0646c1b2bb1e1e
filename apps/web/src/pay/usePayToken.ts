import { isSameAddress, type Network } from '@latchkey/core'
import { useBalances, useToken } from '@latchkey/react'

/** The facts of the asset that a link names. `price` is in dollars. */
export type PayToken = {
  symbol: string
  decimals: number
  price: number | undefined
  iconUrl: string | undefined
}

/**
 * The facts of a token on a network, or without an `address` of its native currency: from the
 * account if it holds the token, otherwise from the server. Undefined while nothing is known.
 */
export function usePayToken({
  network,
  address,
}: {
  network: Network
  address: string | undefined
}): { token: PayToken | undefined; isLoading: boolean } {
  const { caipNetworkId: chainId, chainNamespace: namespace, nativeCurrency } = network
  const { data: balances } = useBalances({ chainId })
  const { data, isLoading } = useToken({ chainId, address })
  const held = balances?.find(({ address: id }) => {
    const own = id?.split(':').at(-1)
    if (own === undefined || address === undefined) return own === address
    return isSameAddress({ namespace, one: own, other: address })
  })
  const known = held && { ...held, decimals: Number(held.quantity.decimals) }
  const facts = address === undefined ? nativeCurrency : (known ?? data)
  const token = facts && {
    symbol: facts.symbol,
    decimals: facts.decimals,
    price: held?.price ?? data?.price,
    iconUrl: held?.iconUrl || data?.iconUrl || undefined,
  }
  return { token, isLoading }
}
