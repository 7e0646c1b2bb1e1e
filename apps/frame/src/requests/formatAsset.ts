import { formatUnits } from '@latchkey/wire'
import type { FrameChain } from '../chains.ts'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { Effect, EffectAsset } from './effect.ts'
import type { OnChainToken } from './readToken.ts'

const t = approvals.approve

/** Token facts, by address in lower case. */
export type TokenMap = ReadonlyMap<string, OnChainToken>

/** No token has this many units: 2^128. */
export const unlimitedFrom = 2n ** 128n

/**
 * Whether an amount counts fungible units. A contract without decimals, or with 0, may be a
 * collection. A contract with decimals may be both (ERC-404): an amount below a billionth of a
 * whole unit is then more likely the number of an item.
 */
export function isFungible(asset: EffectAsset, tokens: TokenMap): boolean {
  if (asset.kind !== 'either') return asset.kind === 'units'
  const { decimals = 0 } = tokens.get(asset.token.toLowerCase()) ?? {}
  const isNumber = asset.amount > 0n && asset.amount * 10n ** 9n < 10n ** BigInt(decimals)
  return decimals > 0 && !isNumber
}

/**
 * Whether an effect only reduces what others may take. 0 of a collection is its first item, and a
 * spender of zero is no spender.
 */
export function isRevocation(
  { asset, spender, change }: Extract<Effect, { kind: 'allow' }>,
  tokens: TokenMap,
): boolean {
  if (change) return change === 'less'
  if (BigInt(spender) === 0n) return true
  return asset.kind !== 'native' && isFungible(asset, tokens) && asset.amount === 0n
}

/** Describes an asset within a sentence. */
export function formatAsset(
  asset: EffectAsset,
  { chain, tokens }: { chain: FrameChain; tokens: TokenMap },
): string {
  const { amount } = asset
  if (asset.kind === 'native') return `${formatUnits(amount, chain.decimals)} ${chain.symbol}`
  const { symbol = t.unknownToken, decimals } = tokens.get(asset.token.toLowerCase()) ?? {}
  if (asset.kind === 'item') {
    if (asset.id === undefined) return fill(t.anyItem, { amount: String(amount), symbol })
    const values = { amount: String(amount), id: String(asset.id), symbol }
    return fill(amount === 1n ? t.item : t.items, values)
  }
  const isUnits = isFungible(asset, tokens)
  if (isUnits && amount >= unlimitedFrom) return fill(t.unlimited, { symbol })
  // Some collections that are older than ERC-721 send an item as a token sends units.
  if (!isUnits || decimals === undefined) return fill(t.either, { amount: String(amount), symbol })
  return `${formatUnits(amount, decimals)} ${symbol}`
}

/** `a`, `a and b`, `a, b and c`. */
export const joinPhrases = (list: readonly string[]): string =>
  list.length < 2
    ? list.join()
    : fill(t.and, { first: list.slice(0, -1).join(', '), last: list.at(-1) ?? '' })

export const capitalize = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const formatTime = (seconds: bigint): string =>
  seconds > 253_402_300_799n
    ? t.forever
    : new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').slice(0, 16)

/** Smaller values round to zero. */
const minWorth = 0.005
/** With larger values, the amount or the price is not real. */
const maxWorth = 1e12

/**
 * The dollar value of an amount in smallest units, if a whole unit costs `usd`. Undefined if the
 * value is negligible or implausibly large.
 */
export function formatUsd(amount: bigint, decimals: number, usd = 0): string | undefined {
  const worth = Number(formatUnits(amount, decimals)) * usd
  return worth < minWorth || worth > maxWorth
    ? undefined
    : worth.toLocaleString('en', { style: 'currency', currency: 'USD' })
}
