import { type Balance, cleanText, isBait, LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Network } from '../../networks.ts'
import { parse } from '../../server/parse.ts'
import { fromSmallestUnit } from '../../units.ts'
import type { AssetActions } from '../walletAssets.ts'
import { getCapabilitiesOf } from './batch/readCapabilities.ts'
import { parseEvmChainId, toHexChainId } from './chainId.ts'
import { isEvmAddress, toChecksumAddress } from './values.ts'

/**
 * The longest list. Longer lists are refused, because showing a part of it would hide assets of the
 * account.
 */
const maxAssets = 500

/** The wallet's own list of assets (ERC-7811). */
export const assets: AssetActions = {
  async read({ wallet, address, network, approvedMethods, getImageUrl }) {
    if (approvedMethods && !approvedMethods.includes('wallet_getAssets')) return undefined
    const key = toHexChainId(network.caipNetworkId)
    const all = await wallet('wallet_getCapabilities', [address, [key]])
    const own = parse(capabilities, getCapabilitiesOf(all, network.caipNetworkId))
    if (!own?.assetDiscovery.supported) return undefined
    const asked = { account: address, chainFilter: [key] }
    const answer = parse(anyRecord, await wallet('wallet_getAssets', [asked])) ?? {}
    const found = Object.keys(answer).find((id) => parseEvmChainId(id) === network.caipNetworkId)
    const list = readList(found === undefined ? undefined : answer[found], network)
    return list.map((one) => ({ ...one, iconUrl: getImageUrl(one.address ?? one.symbol) }))
  },
}

const anyRecord = z.record(z.string(), z.unknown())
const capabilities = z.object({ assetDiscovery: z.object({ supported: z.boolean() }) })
const list = z
  .array(z.looseObject({ type: z.string().check(z.maxLength(32)) }))
  .check(z.maxLength(maxAssets))
const balance = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
const price = z.optional(z.number().check(z.minimum(0), z.maximum(1e12)))
const text = z.string().check(z.maxLength(1_024))
const nativeAsset = z.object({ balance, metadata: z.optional(z.object({ price })) })
const tokenAsset = z.object({
  address: z.string().check(z.refine(isEvmAddress)),
  balance,
  metadata: z.object({
    name: text,
    symbol: text,
    decimals: z.int().check(z.minimum(0), z.maximum(255)),
    price,
  }),
})

/**
 * Parses the list. Throws WALLET_ANSWER_INVALID if any entry is invalid, or unless there is exactly
 * one native balance.
 */
function readList(value: unknown, network: Network): readonly Balance[] {
  const entries = check(list, value)
  const ofType = (type: string) => entries.filter((entry) => entry.type.toUpperCase() === type)
  const [native, ...more] = ofType('NATIVE')
  const tokens = ofType('ERC20').map((entry) => readToken(entry, network))
  const addresses = new Set(tokens.map(({ address }) => address))
  if (!native || more.length > 0 || addresses.size < tokens.length) throw invalid()
  const held = tokens.filter(
    ({ name, symbol, quantity }) =>
      quantity.decimals !== '0' &&
      quantity.numeric !== '0' &&
      // The server's list has the same check.
      !isBait(name) &&
      !isBait(symbol),
  )
  return [
    readNative(native, network),
    ...held.sort((one, other) => (other.value ?? -1) - (one.value ?? -1)),
  ]
}

function readNative(entry: unknown, network: Network): Balance {
  const { balance: amount, metadata } = check(nativeAsset, entry)
  // Uses the app's names of native currencies, never the wallet's.
  const { name, symbol, decimals } = network.nativeCurrency
  return toBalance({ name, symbol, decimals, amount, price: metadata?.price, network })
}

function readToken(entry: unknown, network: Network): Balance {
  const { address, balance: amount, metadata } = check(tokenAsset, entry)
  const { decimals, price: tokenPrice } = metadata
  const name = cleanText(metadata.name, { maxLength: 64 }) ?? ''
  const symbol = cleanText(metadata.symbol, { maxLength: 24 }) ?? ''
  return {
    ...toBalance({ name, symbol, decimals, amount, price: tokenPrice, network }),
    address: `${network.caipNetworkId}:${toChecksumAddress(address)}`,
  }
}

type Facts = {
  name: string
  symbol: string
  decimals: number
  amount: string
  price: number | undefined
  network: Network
}

/**
 * Converts one entry. The value is computed from the price, so that the two never differ. Images
 * named by the wallet are not loaded, because they are on third-party hosts.
 */
function toBalance({ name, symbol, decimals, amount, price: each, network }: Facts): Balance {
  const numeric = fromSmallestUnit(BigInt(amount), decimals)
  return {
    name,
    symbol,
    chainId: network.caipNetworkId,
    ...(each !== undefined && { price: each, value: each * Number(numeric) }),
    quantity: { decimals: String(decimals), numeric },
    iconUrl: '',
  }
}

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = parse(schema, value)
  if (parsed === undefined) throw invalid()
  return parsed
}

const invalid = () => new LatchkeyError('WALLET_ANSWER_INVALID')
