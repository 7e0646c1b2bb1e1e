/**
 * Signing in with a wallet (CAIP-122): the message, and its verification on any backend. A separate
 * entry point, because verification needs the curves.
 */

export { explainRefusal } from './signatures/explainRefusal.ts'
export {
  type RecoverKey,
  type SignedMessage,
  type SignedText,
  verifyKeySignature,
} from './signatures/verifyKeySignature.ts'
export { checkSiwxMessage, type ExpectedSiwx } from './siwx/checkSiwxMessage.ts'
export { answerConnect, type ConnectRequest, readConnectRequest } from './siwx/connectRequest.ts'
export { createSiwxMessage } from './siwx/createSiwxMessage.ts'
export { parseSiwxMessage } from './siwx/parseSiwxMessage.ts'
export { maxSiwxMessage } from './siwx/siwxFields.ts'
export type { SiwxField, SiwxMessage } from './siwx/siwxMessage.ts'
export { type SiwxVerdict, verifySiwx } from './siwx/verifySiwx.ts'
export { writeSiwxMessage } from './siwx/writeSiwxMessage.ts'
