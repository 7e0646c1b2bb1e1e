import type { EffectAsset } from '../effect.ts'
import { formatUsd, isFungible, type TokenMap } from '../formatAsset.ts'
import { tokenWarnings, type WarningContext } from '../getWarnings.ts'
import type { EvmSimulation } from './simulate.ts'

/**
 * The value of an asset by the operator's prices, for display only. Undefined if there is no price,
 * for items, and for a token with a warning: its name could make it look like another token.
 */
export function formatWorth(
  { chain }: Pick<WarningContext, 'chain'>,
  asset: EffectAsset,
  { prices, tokens }: Pick<EvmSimulation, 'prices'> & { tokens: TokenMap },
): string | undefined {
  const token = 'token' in asset ? asset.token.toLowerCase() : 'native'
  const facts = tokens.get(token)
  const decimals = asset.kind === 'native' ? chain.decimals : facts?.decimals
  if (decimals === undefined || tokenWarnings({ chain }, asset, facts).length > 0) return undefined
  if (asset.kind !== 'native' && !isFungible(asset, tokens)) return undefined
  return formatUsd(asset.amount, decimals, prices.get(token))
}
