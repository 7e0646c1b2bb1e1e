export type {
  AuthPayload,
  AuthRequest,
  Cacao,
  ClientParameters,
  ClientStorage,
  CreateDapp,
  CreateWallet,
  Dapp,
  DappEvents,
  PendingRequest,
  Proposal,
  RelayStatus,
  Session,
  SessionEvents,
  Wallet,
  WalletEvents,
} from './client.ts'
export { codes, type ProtocolCode, type ProtocolError, protocolError } from './codes.ts'
export { createDapp } from './createDapp.ts'
export { createWallet } from './createWallet.ts'
export {
  deriveKey,
  generateIdentity,
  generateKey,
  generateKeyPair,
  getMessageId,
  getSender,
  getTopic,
  maxEnvelopeLength,
  openEnvelope,
  type Seal,
  sealEnvelope,
} from './crypto/crypto.ts'
export type { KeyPair } from './crypto/curve.ts'
export {
  formatRpc,
  getRpcIdTime,
  newRpcId,
  parseRpc,
  type RpcAnswer,
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
} from './jsonRpc.ts'
export {
  getClientId,
  type RelayClaims,
  signRelayToken,
} from './relay/relayAuth.ts'
export type { Method, MethodName, Publish } from './rpc/method.ts'
export { isMethodName, methods } from './rpc/methods.ts'
export { requestExpiry } from './rpc/sessionRequest.ts'
export type { Metadata, ProposalNamespaces, SessionNamespaces } from './rpc/shapes.ts'
export { findPairingUri } from './session/findPairingUri.ts'
export * from './session/namespaces.ts'
export * from './session/uri.ts'
