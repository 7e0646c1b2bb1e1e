import { formatUnits, nativeAsset, type OrderStatus } from '@latchkey/wire'
import type { ReadPurchases } from '../history/purchases.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { findPaidOrders, type StoredOrder } from './orderStore.ts'
import { type OrderSources, refreshOrder } from './refreshOrder.ts'

type PurchaseDeps = OrderSources & { readonly getTokenIcon: GetTokenIcon }

/** How many orders are refreshed at their provider and on the chain for one response. */
const maxRefreshed = 5
const moving: readonly OrderStatus[] = ['paid', 'sent']

/**
 * The paid orders of an account as entries of its history; of one provider, or of `all`. Older
 * clients always send `coinbase`.
 */
export const openPurchases =
  (deps: PurchaseDeps): ReadPurchases =>
  async ({ account, chainIds, provider }) => {
    if (provider !== 'all' && !deps.providers.has(provider))
      return provider === 'coinbase' ? [] : undefined
    const id = provider === 'all' ? undefined : provider
    const orders = await findPaidOrders(deps, { account, chainIds, provider: id })
    const open = orders.filter(({ status }) => moving.includes(status)).slice(0, maxRefreshed)
    const fresh = new Map(
      await Promise.all(open.map(async (one) => [one.id, await refreshOrder(deps, one)] as const)),
    )
    return orders.map((order) => toEntry(deps, fresh.get(order.id) ?? order))
  }

const statuses: Partial<Record<OrderStatus, string>> = {
  arrived: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
  failed: 'ONRAMP_TRANSACTION_STATUS_FAILED',
}

/** The id of the order is secret, so the entry has another id. The paid amount is private. */
function toEntry({ providers, getTokenIcon }: PurchaseDeps, order: StoredOrder) {
  const { chainId, asset, symbol, decimals } = order.asset
  const icon = getTokenIcon(symbol)
  return {
    id: `onramp:${order.createdAt.getTime()}:${order.transactionHash ?? order.provider}`,
    metadata: {
      operationType: 'buy',
      hash: order.transactionHash ?? '',
      minedAt: order.createdAt.toISOString(),
      sentFrom: providers.get(order.provider)?.config.name ?? order.provider,
      sentTo: order.address,
      status: statuses[order.status] ?? 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS',
      nonce: 1,
      application: null,
      chain: chainId,
    },
    transfers: [
      {
        fungible_info: { name: symbol, symbol, icon: icon === '' ? null : { url: icon } },
        nft_info: null,
        direction: 'in',
        quantity: {
          numeric: order.received === undefined ? '0' : formatUnits(order.received, decimals),
        },
        value: null,
        price: null,
        ...(asset !== nativeAsset && { address: `${chainId}:${asset}` }),
      },
    ],
  }
}
