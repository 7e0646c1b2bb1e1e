import { type SwapToken, toSmallestUnit } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries/queries.ts'
import { heldQuery, swapPricesQuery, swapQuoteQuery } from '../../app/queries/swapQueries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { getSwapStep, isSameToken, readUnits, toSwapToken } from './swapForm.ts'

/** How long after the last key press a price is requested. */
const QUOTE_WAIT_MS = 200

/** The swap form with the account's balance, the tokens' prices, and the current quote. */
export function useSwapForm() {
  const app = useApp()
  const draft = useAppState((state) => state.swapDraft)
  const { network } = useNetwork()
  const { account, address } = useAccount()
  const { caipNetworkId: chainId } = network
  const { data: balances, native, isLoading } = useBalances()
  const first = balances?.find(({ quantity }) => /[1-9]/.test(quantity.numeric)) ?? balances?.[0]
  const from: SwapToken | undefined = draft.from ?? (first && toSwapToken(first))
  const { to } = draft
  const listed = from && balances?.find((balance) => isSameToken(toSwapToken(balance), from))
  // The server lists only the tokens that it knows.
  const isUnknown = !isLoading && listed === undefined && from?.address !== undefined
  const own = useQuery(
    heldQuery(app, { address, chainId, token: isUnknown ? from : undefined }),
    getQueryClient(app),
  )
  const held = isUnknown ? own.data : (listed?.quantity.numeric ?? '0')
  const units = from && (readUnits(draft.amount, from.decimals, toSmallestUnit) ?? 0n)
  const settled = useDebounced(units ?? 0n, QUOTE_WAIT_MS)
  const quote = useQuery(
    swapQuoteQuery(app, { chainId, ...(from && { from }), ...(to && { to }), amount: settled }),
    getQueryClient(app),
  )
  const { data: prices } = useQuery(
    swapPricesQuery(app, { chainId, tokens: from && to ? [from, to] : [] }),
    getQueryClient(app),
  )
  const isSettled = settled === units
  const step = getSwapStep({
    draft,
    from,
    held,
    hasGas:
      account?.type === 'smartAccount' ||
      native === undefined ||
      /[1-9]/.test(native.quantity.numeric),
    quote: isSettled && !(isUnknown && own.isPending) ? quote.status : 'pending',
    toUnits: toSmallestUnit,
  })
  return {
    draft,
    from,
    to,
    held,
    network,
    prices,
    step,
    isPending: isLoading,
    /** Only the quote for the typed amount. */
    quote: isSettled ? quote.data : undefined,
    quoteError: isSettled ? quote.error : null,
    quotedAtMs: quote.dataUpdatedAt,
    isFetching: quote.isFetching,
    refetch: quote.refetch,
  }
}
