export type {
  AuthPayload,
  AuthRequest,
  Cacao,
  ClientStorage,
  CreateDapp,
  CreateWallet,
  Dapp,
  DappEvents,
  PendingRequest,
  Proposal,
  RelayStatus,
  Session,
  Wallet,
  WalletEvents,
} from './client.ts'
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
export * from './namespaces.ts'
export {
  clientIdOf,
  generateIdentity,
  type RelayClaims,
  signRelayToken,
  verifyRelayToken,
} from './relayAuth.ts'
export type { Method, Publish } from './rpc/method.ts'
export { isMethodName, type MethodName, methods } from './rpc/methods.ts'
export { requestExpiry } from './rpc/sessionRequest.ts'
export type { Metadata, ProposalNamespaces, SessionNamespaces } from './rpc/shapes.ts'
export * from './uri.ts'
