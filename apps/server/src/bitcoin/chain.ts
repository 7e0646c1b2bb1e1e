import type { ChainId } from '@latchkey/wire'
import { type BitcoinNetwork, parseBitcoinAddress } from '@latchkey/wire/bitcoin'

/** Whether a CAIP-2 id names a Bitcoin chain. */
export const isBitcoinChain = (chainId: string): boolean => chainId.startsWith('bip122:')

/** Bitcoin, and its public test networks: testnet3, testnet4 and signet. */
const networks: Readonly<Record<ChainId, BitcoinNetwork>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:00000000da84f2bafbbc53dee25a72ae': 'testnet',
  'bip122:00000008819873e925422c1ff0f99f7c': 'testnet',
}

/** Whose addresses a chain has. A chain that is not known is a regtest. */
export const getBitcoinNetwork = (chainId: ChainId): BitcoinNetwork =>
  networks[chainId] ?? 'regtest'

/** The output script of a chain's address; undefined for another network's and for any other text. */
export const getScript = (chainId: ChainId, address: string): string | undefined => {
  const parsed = parseBitcoinAddress(address, getBitcoinNetwork(chainId))
  return parsed && Buffer.from(parsed.script).toString('hex')
}

const all: readonly BitcoinNetwork[] = ['mainnet', 'testnet', 'regtest']

/** An address of any Bitcoin network in the form in which addresses are compared: Bech32 in lower case. */
export const parseAnyBitcoinAddress = (text: string): string | undefined => {
  if (!all.some((network) => parseBitcoinAddress(text, network))) return undefined
  return /^(?:bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text
}
