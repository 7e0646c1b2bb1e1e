import type { ChainId } from '@latchkey/wire'
import { type BitcoinNetwork, getBitcoinNetwork, parseBitcoinAddress } from '@latchkey/wire/bitcoin'

/** Whether a CAIP-2 id names a Bitcoin chain. */
export const isBitcoinChain = (chainId: string): boolean => chainId.startsWith('bip122:')

/**
 * The output script of a chain's address; undefined for another network's and for any other text.
 */
export const getScript = (chainId: ChainId, address: string): string | undefined => {
  const parsed = parseBitcoinAddress(address, getBitcoinNetwork(chainId))
  return parsed && Buffer.from(parsed.script).toString('hex')
}

const all: readonly BitcoinNetwork[] = ['mainnet', 'testnet', 'regtest']

/**
 * An address of any Bitcoin network in the form in which addresses are compared: Bech32 in lower
 * case.
 */
export const parseAnyBitcoinAddress = (text: string): string | undefined => {
  if (!all.some((network) => parseBitcoinAddress(text, network))) return undefined
  return /^(?:bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text
}
