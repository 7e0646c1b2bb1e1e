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
  RelayStatus,
  SessionEvents,
  SessionProposal,
  Wallet,
  WalletConnectSession,
  WalletEvents,
} from './client.ts'
export { type ProtocolCode, type ProtocolError, protocolCodes, protocolError } from './codes.ts'
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
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from './jsonRpc.ts'
export {
  getClientId,
  type RelayClaims,
  signRelayToken,
} from './relay/relayAuth.ts'
export type { MethodName, Publish, RpcMethod } from './rpc/method.ts'
export { isMethodName, rpcMethods } from './rpc/methods.ts'
export { requestExpiry } from './rpc/sessionRequest.ts'
export type { PeerMetadata, ProposalNamespaces, SessionNamespaces } from './rpc/shapes.ts'
export { findPairingUri } from './session/findPairingUri.ts'
export * from './session/namespaces.ts'
export * from './session/uri.ts'
