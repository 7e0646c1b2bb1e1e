import type { ChainId } from '@latchkey/wire'
import { type BitcoinNetwork, verifyBitcoinMessage } from '@latchkey/wire/bitcoin'
import type { SignedMessage } from './signedMessage.ts'

const networks: Readonly<Record<ChainId, BitcoinNetwork>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:00000008819873e925422c1ff0f99f7c': 'testnet',
}

/** BIP-137 and BIP-322, of texts. A chain that is not known is a regtest. */
export const verifyBitcoin = ({ chainId, address, message, signature }: SignedMessage): boolean =>
  typeof message === 'string' &&
  verifyBitcoinMessage({ address, network: networks[chainId] ?? 'regtest', message, signature })
