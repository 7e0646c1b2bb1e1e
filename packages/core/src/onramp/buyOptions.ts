import {
  type ChainId,
  nativeAsset,
  type OnrampProvider,
  onrampOptionsRoute,
  type PaymentCurrency,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'

/**
 * A token that users can buy on a network. `asset` is `native`, or the contract or mint of a token.
 */
export type BuyToken = { readonly asset: string; readonly symbol: string; readonly name: string }

/** The buying options on a network: tokens, payment methods, limits and providers. */
export type BuyOptions = {
  readonly chainId: ChainId
  readonly tokens: readonly BuyToken[]
  readonly currencies: readonly PaymentCurrency[]
  readonly providers: readonly OnrampProvider[]
}

const usualLimits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
] as const

/**
 * The usual terms of providers, a fallback if the server's options cannot be read. Show them as
 * estimates: they name no provider. Limits are decimal strings in the currency, fees are
 * percentages.
 */
export const usualBuyTerms = {
  /** In addition to the network's native currency. */
  tokens: ['USDC'],
  currencies: ['USD', 'EUR'],
  limits: usualLimits,
  feePercent: { min: 1, max: 2 },
} as const

/** Fetches the buying options on a network. Throws the errors of `callRoute`. */
export async function getBuyOptions(
  app: App,
  { chainId, signal }: { chainId: ChainId; signal?: AbortSignal | undefined },
): Promise<BuyOptions> {
  const options = await callRoute(app, { route: onrampOptionsRoute, signal })
  const sells = (asset: string) => (provider: OnrampProvider) =>
    provider.assets.includes(`${chainId}/${asset}`)
  const providers = (options.providers ?? []).filter(({ assets }) =>
    assets.some((asset) => asset.startsWith(`${chainId}/`)),
  )
  const tokens = options.purchaseCurrencies.flatMap(({ symbol, name, networks }) => {
    const on = networks.find((network) => network.chainId === chainId)
    // A quote contains only a symbol, so of two tokens with the same symbol only the first can be
    // bought.
    return on ? [{ asset: on.contract_address || nativeAsset, symbol, name }] : []
  })
  return {
    chainId,
    tokens: tokens.filter(({ asset }) => providers.some(sells(asset))),
    currencies: options.paymentCurrencies.filter(({ id }) =>
      providers.some(({ currencies }) => currencies.includes(id)),
    ),
    providers,
  }
}
