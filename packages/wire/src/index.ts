export * from './api/allowances.ts'
export * from './api/analytics.ts'
export * from './api/assets.ts'
export * from './api/auth/auth.ts'
export * from './api/auth/passkeys.ts'
export * from './api/auth/providerNames.ts'
export * from './api/auth/rendezvous.ts'
export * from './api/auth/social.ts'
export * from './api/auth/socialProvider.ts'
export * from './api/balance.ts'
export * from './api/bundler.ts'
export * from './api/convert.ts'
export * from './api/description.ts'
export * from './api/directory.ts'
export * from './api/faucet.ts'
export * from './api/gasPrice.ts'
export * from './api/history.ts'
export * from './api/identity.ts'
export * from './api/names.ts'
export * from './api/nfts.ts'
export * from './api/onramp.ts'
export * from './api/price.ts'
export * from './api/risks.ts'
export type { Route } from './api/route.ts'
export * from './api/sessions.ts'
export * from './api/simulation.ts'
export * from './api/siwx/csrfHeader.ts'
export * from './api/siwx/hostedSiwx.ts'
export * from './api/siwx/siwx.ts'
export * from './api/siwx/siwxSessions.ts'
export * from './api/supportedChains.ts'
export * from './api/tokenNames.ts'
export * from './api/vault/enrollment.ts'
export * from './api/vault/moves.ts'
export * from './api/vault/recovery.ts'
export * from './api/vault/vault.ts'
export {
  type GcmSealed,
  gcmSealed,
  type HpkeSealed,
  hpkeSealed,
  type Manifest,
  manifest,
  type NewFactor,
  newFactor,
  type RecoveryFactor,
  recoveryFactor,
  type WalletAddresses,
  type WalletSeal,
  type WalletSlot,
  walletAddresses,
  walletSeal,
  walletSlot,
} from './api/vault/vaultShapes.ts'
export * from './api/webConfig.ts'
export { getSmallerBatch, refusesBatch } from './batchRefusal.ts'
export { type AssetRef, parseAssetId, toAssetId } from './caip/assetId.ts'
export {
  type CaipAddress,
  type ChainId,
  frameNamespaces,
  isChainId,
  isNamespace,
  type Namespace,
  namespaces,
} from './caip/caip.ts'
export * from './caip/coinType.ts'
export * from './caip/parseCaip.ts'
export { type PaymentLink, readPaymentLink } from './caip/readPaymentLink.ts'
export type {
  Channel,
  Handlers,
  Limits,
  RemoteWindow,
  RequestOptions,
  ServedChannel,
} from './channel/channel.ts'
export { type Protocol, unpackError } from './channel/channelProtocol.ts'
export { listenChannel } from './channel/listenChannel.ts'
export { meetWindows } from './channel/meetWindows.ts'
export { openChannel } from './channel/openChannel.ts'
export { decodeBase58, encodeBase58 } from './encoding/base58.ts'
export { type Base64Form, decodeBase64, encodeBase64 } from './encoding/base64.ts'
export { bytesToHex } from './encoding/bytesToHex.ts'
export { checksumAddress } from './encoding/checksumAddress.ts'
export { decodeUtf8 } from './encoding/decodeUtf8.ts'
export { findExcess } from './encoding/findExcess.ts'
export { hasChecksumFault } from './encoding/hasChecksumFault.ts'
export { omitNulls } from './encoding/omitNulls.ts'
export { isTooDeep, jsonMaxDepth, parseBoundedJson } from './encoding/parseBoundedJson.ts'
export type { AlertCode } from './errors/alertTexts.ts'
export * from './errors/errorStatus.ts'
export {
  type ErrorCode,
  type ErrorData,
  errorCodeFromText,
  errors,
  fillText,
  isError,
  LatchkeyError,
  type TextNames,
  toError,
} from './errors/errors.ts'
export { isForeignAnswer } from './errors/isForeignAnswer.ts'
export { isModuleLoss } from './errors/isModuleLoss.ts'
export { getAlertText, getPresentation, isAlert, type Presentation } from './errors/presentation.ts'
export { getRpcCode, rpcCodes } from './errors/rpcCodes.ts'
export { evmReadMethods } from './evmMethods.ts'
export * from './fees.ts'
export * from './frame/frame.ts'
export { fromFrameChain, toFrameChain } from './frame/frameChain.ts'
export { getMethodTreatment } from './getMethodTreatment.ts'
export {
  isContractFailure,
  type L1FeeBytes,
  type L1FeeOracle,
  type L1FeeTransaction,
  l1FeeOracles,
  maxL1FeeWei,
  readL1Fee,
} from './l1Fee.ts'
export { anySignal, canParseUrl } from './olderBrowsers.ts'
export { orderMessageParams } from './orderMessageParams.ts'
export { buildSocialReturn, readSocialReturn, type SocialReturn } from './socialReturn.ts'
export { solanaClusters, solanaIds } from './solanaIds.ts'
export { cleanText } from './text/cleanText.ts'
export { findLookalike } from './text/findLookalike.ts'
export { formatUnits } from './text/formatUnits.ts'
export { formatWait } from './text/formatWait.ts'
export { groupAddress } from './text/groupAddress.ts'
export { isBait } from './text/isBait.ts'
export { listAddresses } from './text/listAddresses.ts'
export { readDecimal } from './text/readDecimal.ts'
export { readDigits } from './text/readDigits.ts'
export { sanitizeText } from './text/sanitizeText.ts'
export { stripBlanks } from './text/stripBlanks.ts'
export { toLatin } from './text/toLatin.ts'
export { unwrapEmail } from './text/unwrapEmail.ts'
export { userOperationDomain, userOperationTypes } from './userOperationTypes.ts'
export * from './walletMessages.ts'
