import { LatchkeyError } from '../errors/errors.ts'
import { type ChainId, isChainId, type Namespace } from './caip.ts'
import { parseChainId } from './parseCaip.ts'

/** An asset of a network: a token, or without an `address` the network's native currency. */
export type AssetRef = {
  chainId: ChainId
  /** The contract or mint of the token. */
  address?: string | undefined
}

/** The coin types of native currencies (SLIP-44). */
const coinTypes: Readonly<Record<Namespace, number>> = {
  eip155: 60,
  solana: 501,
  polkadot: 354,
  bip122: 0,
}
const bitcoinMainnet = 'bip122:000000000019d6689c085ae165831e93'
/** The coin type of all test networks of Bitcoin. */
const testCoinType = 1

/** The standards of fungible tokens: their names in CAIP-19, and the form of their addresses. */
const tokenStandards: Readonly<Partial<Record<Namespace, { name: string; address: RegExp }>>> = {
  eip155: { name: 'erc20', address: /^0x[\da-fA-F]{40}$/ },
  solana: { name: 'token', address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ },
}

/**
 * Parses a CAIP-19 id of a native currency (`slip44` with any coin type) or of a fungible token.
 * Undefined for anything else.
 */
export function parseAssetId(text: string): AssetRef | undefined {
  const [chainId = '', asset = '', ...rest] = text.split('/')
  const [standard = '', reference = '', ...more] = asset.split(':')
  if (rest.length > 0 || more.length > 0 || !isChainId(chainId)) return undefined
  if (standard === 'slip44') return /^\d{1,10}$/.test(reference) ? { chainId } : undefined
  const known = tokenStandards[parseChainId(chainId).namespace]
  const isToken = standard === known?.name && known.address.test(reference)
  return isToken ? { chainId, address: reference } : undefined
}

/**
 * The CAIP-19 id of an asset. Throws INVALID_CAIP_ADDRESS if the namespace of the network has no
 * fungible tokens.
 */
export function toAssetId({ chainId, address }: AssetRef): string {
  const { namespace } = parseChainId(chainId)
  if (address === undefined) {
    const isTestCoin = namespace === 'bip122' && chainId !== bitcoinMainnet
    return `${chainId}/slip44:${isTestCoin ? testCoinType : coinTypes[namespace]}`
  }
  const standard = tokenStandards[namespace]
  if (!standard) throw new LatchkeyError('INVALID_CAIP_ADDRESS')
  return `${chainId}/${standard.name}:${address}`
}
