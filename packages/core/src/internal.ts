/**
 * The additional exports for `@latchkey/react`, which may change in any version. Only
 * `@latchkey/react` may import them.
 */

export { formatAddress, isAddress } from './account/address.ts'
export { balanceRetryBlockMs, portfolioLifetimeMs } from './account/balanceTimes.ts'
export { canChooseAccount } from './account/chooseAccount.ts'
export { findRichest } from './account/findRichest.ts'
export { cutDollars, formatDollars, sumDollars } from './account/formatDollars.ts'
export { getNativeBalance } from './account/getNativeBalance.ts'
export { type AccountOnNetworks, getPortfolioHistory } from './account/getPortfolioHistory.ts'
export { getPriceHistory } from './account/getPriceHistory.ts'
export { getToken } from './account/getToken.ts'
export { getValueHistory } from './account/getValueHistory.ts'
export { truncateAddress } from './account/truncateAddress.ts'
export {
  type ActivityFile,
  type ExportProgress,
  exportActivity,
} from './activity/export/exportActivity.ts'
export {
  type FollowedAccount,
  getLatestActivity,
  listFollowedAccounts,
} from './activity/getLatestActivity.ts'
export { getWorth } from './activity/getWorth.ts'
export { groupByMonth } from './activity/groupByMonth.ts'
export { getNoteKey, getNotes, maxNoteLength, type Notes, saveNote } from './activity/notes.ts'
export { getNameableSides, getOtherSide } from './activity/otherSide.ts'
export {
  type ActivityKind,
  type ActivityMatcher,
  activityKinds,
  searchActivity,
} from './activity/searchActivity.ts'
export { getTransferAmounts } from './activity/transferAmounts.ts'
export { getOldAllowances, type OldAllowance } from './allowances/getOldAllowances.ts'
export { type AllowanceRisk, rankAllowances, sumRisks } from './allowances/rankAllowances.ts'
export { prepareReviewedRevocation } from './allowances/revokeAllowances.ts'
export { isSameInstalledWallet } from './connection/connectors/dedupe.ts'
export { embeddedId } from './connection/connectors/embedded.ts'
export { walletConnectId } from './connection/connectors/walletConnect.ts'
export { getPendingConnection } from './connection/getPendingConnection.ts'
export { promptInClick } from './connection/promptInClick.ts'
export { searchWallets } from './connection/searchWallets.ts'
export { exportContacts, removeContact } from './contacts/contacts.ts'
export { findContact } from './contacts/findContact.ts'
export {
  type ContactsFileProblem,
  type ContactsImport,
  importContacts,
} from './contacts/importContacts.ts'
export { type OfferedReceiver, offerReceivers } from './contacts/offerReceivers.ts'
export { type ContactLookalike, type SavedContact, saveContact } from './contacts/saveContact.ts'
export { warnOnce } from './development/warnings.ts'
export { askRecommended, findListedWallet } from './directory/askRecommended.ts'
export { getCustomWallets } from './directory/customWallets.ts'
export { getPlatform } from './directory/getPlatform.ts'
export {
  directoryLifetimeMs,
  prefetchImages,
  searchWaitMs,
  walletPageEntries,
} from './directory/getWallets.ts'
export { openLink } from './directory/openLink.ts'
export { getSavedWallets } from './directory/savedWallets.ts'
export { hasWalletRelay, isOpenOnPhones, walletLinks } from './directory/walletLinks.ts'
export { askRecovery, findUnrecoverable } from './embedded/askRecovery.ts'
export { closeFrame } from './embedded/frame/closeFrame.ts'
export { getFrameContainer } from './embedded/frame/getFrameContainer.ts'
export { askSocial, openSocialWindow } from './embedded/login/askSocial.ts'
export { getSocials } from './embedded/login/getSocials.ts'
export { isInApp } from './embedded/login/inAppView.ts'
export { findWrongCharacter, isEmail } from './embedded/login/isEmail.ts'
export { getPendingEmail } from './embedded/login/mailThrottle.ts'
export {
  formatAmount,
  formatQuantity,
  relativeTime,
} from './format.ts'
export * from './index.ts'
export {
  askFaucet,
  cancelSignIn,
  changeReviewedName,
  getAddedTokens,
  getAreas,
  loginSocialInTab,
  prepareReviewedSignIn,
  registerReviewedName,
  removeAddedToken,
  suggestNames,
} from './lazyActions.ts'
export { mayClose } from './modal/history.ts'
export { keepUsable } from './modal/keepUsable.ts'
export { forceCloseModal } from './modal/modal.ts'
export {
  goBack,
  pushView,
  replaceView,
  resetViews,
  setAccountTab,
  showView,
} from './modal/navigate.ts'
export { pushWalletRequest } from './modal/pushWalletRequest.ts'
export { dismissAlert, showAlert, showError } from './modal/showError.ts'
export { closeToast, showToast } from './modal/toast.ts'
export type { SwappedAmounts } from './modal/views.ts'
export { findAccount } from './names/findAccount.ts'
export { isName } from './names/isName.ts'
export { cleanLabel, nameProblem } from './names/nameRules.ts'
export { readConfirmations } from './namespaces/eip155/connector/safe/readConfirmations.ts'
export {
  getProviderConnection,
  getProviderNetwork,
} from './namespaces/eip155/provider/providerState.ts'
export { getNamespaceName, hasAddressForm, isZeroAddress } from './namespaces/namespaceMetadata.ts'
export { explorerUrl } from './network/explorerUrl.ts'
export { selectNamespace } from './network/selectNamespace.ts'
export {
  allNetworks,
  arbitrum,
  arbitrumSepolia,
  aurora,
  avalanche,
  base,
  baseSepolia,
  berachain,
  bitcoin,
  bitcoinTestnet,
  blast,
  bsc,
  celo,
  fantom,
  findNetwork,
  gnosis,
  kaia,
  kusama,
  latchkeyBitcoin,
  latchkeyOne,
  latchkeySolana,
  latchkeyTwo,
  linea,
  mainnet,
  mantle,
  moonbeam,
  optimism,
  optimismSepolia,
  polkadot,
  polygon,
  scroll,
  sepolia,
  solana,
  solanaDevnet,
  solanaTestnet,
  westend,
  zksync,
  zora,
} from './networks.ts'
export { usualBuyTerms } from './onramp/buyOptions.ts'
export { openCheckoutWindow } from './onramp/checkoutWindow.ts'
export { getPurchases } from './onramp/getPurchases.ts'
export { mergePurchases } from './onramp/mergePurchases.ts'
export { isOrderOver } from './onramp/orderState.ts'
export { findFailedOrder, findSavedOrder, getSavedOrders } from './onramp/savedOrders.ts'
export { parseBuyAmount, selectPurchase } from './onramp/selectPurchase.ts'
export { emptyBuyDraft, setBuyDraft } from './onramp/setBuyDraft.ts'
export { getKnownAddresses, readLatestTransactions } from './send/knownAddresses.ts'
export { getMaxAmount, prepareReviewedSend } from './send/prepareSend.ts'
export { resetSendDraft, setSendDraft } from './send/setSendDraft.ts'
export { awaitsOwners, isFinal } from './send/waitForTransaction.ts'
export { callRoute } from './server/callRoute.ts'
export {
  networkImageUrl,
  serverImageUrl,
  tokenImageUrl,
  walletImageUrl,
} from './server/imageUrl.ts'
export { canRetry, retryDelayMs } from './server/retrying.ts'
export { isSignInRequired, signsIn } from './siwx/session.ts'
export { listConnections } from './state.ts'
export { getSwapPrices, getSwapTokens } from './swap/getSwapTokens.ts'
export { clearSwapDraft, persistSwapDraft } from './swap/persistSwapDraft.ts'
export {
  getMaxSwap,
  isSignatureRefused,
  maxSlippage,
  prepareReviewedSwap,
} from './swap/prepareSwap.ts'
export { forgetSwap, getSentSwaps } from './swap/sentSwaps.ts'
export { setSwapDraft } from './swap/setSwapDraft.ts'
export { fromSmallestUnit, toSmallestUnit } from './units.ts'
