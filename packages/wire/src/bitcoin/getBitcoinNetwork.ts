import type { ChainId } from '../caip/caip.ts'
import type { BitcoinNetwork } from './parseBitcoinAddress.ts'

/** Bitcoin, and its public test networks: testnet3, testnet4 and signet. */
const networks: Readonly<Record<ChainId, BitcoinNetwork>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:00000000da84f2bafbbc53dee25a72ae': 'testnet',
  'bip122:00000008819873e925422c1ff0f99f7c': 'testnet',
}

/** The network whose address format a chain uses; regtest for an unknown chain. */
export const getBitcoinNetwork = (chainId: ChainId): BitcoinNetwork =>
  networks[chainId] ?? 'regtest'
