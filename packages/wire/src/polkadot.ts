/**
 * Polkadot's addresses and signing payloads. A separate entry point, because only pages with
 * Polkadot load it.
 */
export { getAccountKey } from './polkadot/getAccountKey.ts'
export { decodeSs58Address, encodeAddress, getPrefix } from './polkadot/ss58.ts'
export {
  encodePayload,
  parsePayload,
  type TransactionPayload,
} from './polkadot/transactionPayload.ts'
export { wrapMessage } from './polkadot/wrapMessage.ts'
