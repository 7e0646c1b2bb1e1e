import type { Network } from '@latchkey/core'
import { type AssetRef, parseAssetId, toAssetId } from '@latchkey/wire'
import { type LinkReceiver, payPath, readReceiver } from './readReceiver.ts'

/** A payment that a link requests. The link fills in a form and does nothing else. */
export type PayLink = LinkReceiver & {
  /** Decimal string in whole tokens, more than zero. If absent, the payer chooses. */
  amount?: string
  /** If absent, the native currency of the selected network. */
  asset?: AssetRef
}

/** The part of a link because of which the link is unusable. */
export type PayLinkProblem = 'to' | 'amount' | 'asset' | 'network'

/** The digits of 2²⁵⁶. */
const maxDigits = 78

/**
 * Parses a payment link from the path and the query of its URL: `/pay/<to>?amount=…&asset=…`, with
 * a CAIP-19 id as asset. Ignores other parameters, and all values of a parameter but its first.
 */
export function parsePayLink({
  path,
  query,
  networks,
}: {
  /** Percent-encoded. */
  path: string
  query: string
  /** The networks of the app. */
  networks: readonly Pick<Network, 'caipNetworkId'>[]
}): PayLink | { problem: PayLinkProblem } {
  const receiver = readReceiver(path)
  if (receiver === undefined) return { problem: 'to' }
  const parameters = new URLSearchParams(query)
  const [typedAmount, assetId] = [parameters.get('amount'), parameters.get('asset')]
  const amount = typedAmount === null ? undefined : readAmount(typedAmount)
  if (typedAmount !== null && amount === undefined) return { problem: 'amount' }
  const asset = assetId === null ? undefined : parseAssetId(assetId)
  if (assetId !== null && asset === undefined) return { problem: 'asset' }
  if (asset && !networks.some(({ caipNetworkId }) => caipNetworkId === asset.chainId))
    return { problem: 'network' }
  return { ...receiver, ...(amount && { amount }), ...(asset && { asset }) }
}

/**
 * Parses a plain decimal number above zero, and leaves out its insignificant zeros. Undefined for
 * anything else, and for more digits than the amount of a token can have.
 */
export function readAmount(text: string): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,78})(?:\.(\d{1,78}))?$/.exec(text) ?? []
  if (!/[1-9]/.test(whole + fraction) || whole.length + fraction.length > maxDigits)
    return undefined
  const digits = whole.replace(/^0+(?=\d)/, '')
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? digits : `${digits}.${rest}`
}

/** The number of an amount's decimals. */
export const countDecimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** The link that requests a payment. */
export function toPayLink({
  origin,
  to,
  amount,
  asset,
}: {
  origin: string
  to: string
  amount: string | undefined
  asset: AssetRef
}): string {
  // Amounts and CAIP-19 ids have no character that a query would have to encode.
  const sum = amount === undefined ? '' : `amount=${amount}&`
  return `${origin}${payPath}${encodeURIComponent(to)}?${sum}asset=${toAssetId(asset)}`
}
