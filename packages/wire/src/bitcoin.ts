/** Bitcoin addresses, transactions' ids and signed messages: an entry of its own, because it needs the curves. */
export { getTransactionId } from './bitcoin/getTransactionId.ts'
export {
  type BitcoinAddress,
  type BitcoinAddressType,
  type BitcoinNetwork,
  formatBitcoinScript,
  parseBitcoinAddress,
} from './bitcoin/parseBitcoinAddress.ts'
export { buildMessageTransaction, verifyBitcoinMessage } from './bitcoin/verifyBitcoinMessage.ts'
export { verifyEcdsa, verifySchnorr } from './bitcoin/verifySignature.ts'
