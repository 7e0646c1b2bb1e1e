import { verifyBitcoinMessage } from '@latchkey/wire/bitcoin'
import { getBitcoinNetwork } from '../bitcoin/chain.ts'
import type { SignedMessage } from './signedMessage.ts'

/** BIP-137 and BIP-322, of texts. */
export const verifyBitcoin = ({ chainId, address, message, signature }: SignedMessage): boolean =>
  typeof message === 'string' &&
  verifyBitcoinMessage({ address, network: getBitcoinNetwork(chainId), message, signature })
