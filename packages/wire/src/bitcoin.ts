/**
 * Bitcoin's formats: addresses, transactions, PSBTs, and signed messages. A separate entry point,
 * because it needs the curves.
 */
export { hexToBytes } from '@noble/hashes/utils.js'
export { createReader, equalBytes } from './bitcoin/bytes.ts'
export { getBitcoinNetwork } from './bitcoin/getBitcoinNetwork.ts'
export {
  type BitcoinAddress,
  type BitcoinAddressType,
  type BitcoinNetwork,
  formatBitcoinScript,
  parseBitcoinAddress,
} from './bitcoin/parseBitcoinAddress.ts'
export {
  createPsbt,
  decodePsbt,
  encodePsbt,
  findField,
  isPsbtVersion2,
  type Psbt,
  type PsbtField,
} from './bitcoin/psbt.ts'
export {
  isTaprootScript,
  payNestedWitness,
  payPublicKeyHash,
  payScriptHash,
  payWitnessPublicKeyHash,
  readPushes,
} from './bitcoin/scripts.ts'
export {
  addsInputs,
  changesOutputs,
  hashLegacy,
  hashTaproot,
  hashWitness,
  sighashTypes,
} from './bitcoin/sighash.ts'
export {
  type BitcoinTransaction,
  decodeTransaction,
  encodeBitcoinTransaction,
  encodeOutput,
  getTransactionId,
  hashTransaction,
  readOutput,
  readStack,
  type TransactionOutput,
} from './bitcoin/transaction.ts'
export { verifyBitcoinMessage } from './bitcoin/verifyBitcoinMessage.ts'
export { verifyEcdsa, verifySchnorr } from './bitcoin/verifySignature.ts'
