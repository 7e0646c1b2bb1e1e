export { codes, type ProtocolCode, type ProtocolError, protocolError } from './codes.ts'
export {
  deriveKey,
  generateKey,
  generateKeyPair,
  maxEnvelopeLength,
  messageIdOf,
  openEnvelope,
  type Seal,
  sealEnvelope,
  senderOf,
  topicOf,
} from './crypto.ts'
export type { KeyPair } from './curves.ts'
export * from './jsonRpc.ts'
export {
  clientIdOf,
  generateIdentity,
  type RelayClaims,
  signRelayToken,
  verifyRelayToken,
} from './relayAuth.ts'
export * from './uri.ts'
