import { LatchkeyError } from '@latchkey/wire'
import {
  type BitcoinAddress,
  type BitcoinNetwork,
  parseBitcoinAddress,
} from '@latchkey/wire/bitcoin'
import type { Network } from '../../networks.ts'

const networks: readonly BitcoinNetwork[] = ['mainnet', 'testnet', 'regtest']

/**
 * The address format of a network. Networks other than Bitcoin and the local chain use the testnet
 * format.
 */
export function findBitcoinNetwork({
  caipNetworkId,
}: Pick<Network, 'caipNetworkId'>): BitcoinNetwork {
  // Not from the table of networks, because that would put the table into the first file of every
  // page.
  if (caipNetworkId === 'bip122:000000000019d6689c085ae165831e93') return 'mainnet'
  return caipNetworkId === 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7' ? 'regtest' : 'testnet'
}

/**
 * Parses an address of a network. Throws INVALID_ADDRESS, also for an address of another network.
 */
export function toAddress(address: string, network: BitcoinNetwork): BitcoinAddress {
  const parsed = parseBitcoinAddress(address, network)
  if (!parsed) throw new LatchkeyError('INVALID_ADDRESS')
  return parsed
}

/**
 * The networks that an address can belong to. Testnet and regtest addresses differ only in Bech32.
 */
export const findNetworks = (address: string): readonly BitcoinNetwork[] =>
  networks.filter((network) => parseBitcoinAddress(address, network))

/** Normalizes an address for display: Bech32 in lower case. Throws INVALID_ADDRESS. */
export function formatBitcoinAddress(address: string): string {
  if (findNetworks(address).length === 0) throw new LatchkeyError('INVALID_ADDRESS')
  return /^(bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address
}
