import type { ChainId } from '@latchkey/wire'

/**
 * Wallet Standard names of networks, by CAIP-2 id. sats-connect uses the same words, capitalized.
 */
const names: Readonly<Record<string, string>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:5c66f8fcc1e9488fef9402b1af48d8e7': 'regtest',
}

/**
 * The name under which a wallet of the Wallet Standard lists a network; undefined if the wallet
 * does not list it.
 */
export const findBitcoinStandardChain = (
  listed: readonly string[],
  chainId: ChainId,
): string | undefined =>
  [`bitcoin:${names[chainId]}`, chainId].find((name) => listed.includes(name))

/** A network's name in sats-connect; undefined if the protocol does not support the network. */
export const getSatsConnectNetwork = (chainId: ChainId | undefined): string | undefined =>
  names[chainId ?? '']?.replace(/^./, (letter) => letter.toUpperCase())
