export { formatAddress, isAddress } from './account/address.ts'
export { balanceRetryBlockMs, portfolioLifetimeMs } from './account/balanceTimes.ts'
export { canChooseAccount, chooseAccount } from './account/chooseAccount.ts'
export { getNativeBalance, nativeBalanceLifetimeMs } from './account/getNativeBalance.ts'
export { getPortfolio, type Portfolio } from './account/getPortfolio.ts'
export { getPortfolioHistory, type PortfolioHistory } from './account/getPortfolioHistory.ts'
export { getPriceHistory } from './account/getPriceHistory.ts'
export { getValueHistory, type ValueHistory } from './account/getValueHistory.ts'
export type { ActivityNews } from './activity/activityNews.ts'
export type { HistoryPage } from './activity/getHistory.ts'
export { groupByMonth, type Month } from './activity/groupByMonth.ts'
export { getTransferAmounts, type TransferAmount } from './activity/transferAmounts.ts'
export { watchActivity } from './activity/watchActivity.ts'
export { type AllowancePage, getAllowances } from './allowances/getAllowances.ts'
export {
  prepareRevocation,
  prepareShownRevocation,
  revokeAllowances,
} from './allowances/revokeAllowances.ts'
export type {
  App,
  Config,
  ConnectMethod,
  ConnectorType,
  CreateConnector,
  CustomWallet,
  Environment,
  Features,
  Metadata,
  WalletFeature,
} from './app.ts'
export { type Capabilities, getCapabilities } from './capabilities.ts'
export { askWallet } from './connection/askWallet.ts'
export { connect } from './connection/connect.ts'
export { connectingBy } from './connection/connectingBy.ts'
export type {
  Connector,
  ConnectorEvent,
  ConnectResult,
} from './connection/connectors/connector.ts'
export { isSameWallet } from './connection/connectors/dedupe.ts'
export { embeddedId } from './connection/connectors/embedded.ts'
export { walletConnectId } from './connection/connectors/walletConnect.ts'
export { disconnect } from './connection/disconnect.ts'
export { reconnect } from './connection/reconnect.ts'
export { request } from './connection/requests/request.ts'
export { searchWallets } from './connection/searchWallets.ts'
export { createApp } from './createApp.ts'
export {
  askRecommended,
  findListedWallet,
} from './directory/askRecommended.ts'
export { getCustomWallets } from './directory/customWallets.ts'
export { getPlatform, type Page, type Platform } from './directory/getPlatform.ts'
export {
  directoryLifetimeMs,
  getWallets,
  prefetchImages,
  searchWaitMs,
  walletPageEntries,
} from './directory/getWallets.ts'
export { openLink } from './directory/openLink.ts'
export { getSavedWallets } from './directory/savedWallets.ts'
export {
  hasWalletRelay,
  isOpenOnPhones,
  type LinkedWallet,
  type WalletLink,
  type WalletLinks,
  walletLinks,
} from './directory/walletLinks.ts'
export { closeFrame } from './embedded/frame/closeFrame.ts'
export { getFramePlace } from './embedded/frame/getFramePlace.ts'
export { askSocial, openSocialWindow } from './embedded/login/askSocial.ts'
export { getSocials } from './embedded/login/getSocials.ts'
export { isInApp } from './embedded/login/inAppView.ts'
export { findWrongCharacter, isEmail } from './embedded/login/isEmail.ts'
export type { SocialWindow } from './embedded/login/loginSocial.ts'
export { getPendingEmail } from './embedded/login/mailThrottle.ts'
export { openFramePage } from './embedded/openFramePage.ts'
export { signOut } from './embedded/signOut.ts'
export { confirmNewEmail, confirmPresentEmail, updateEmail } from './embedded/updateEmail.ts'
export {
  formatAmount,
  formatQuantity,
  formatRelativeTime,
  relativeTime,
  truncateAddress,
} from './format.ts'
export {
  askFaucet,
  cancelSignIn,
  changeName,
  changeShownName,
  confirmDevice,
  confirmOtp,
  endSignIn,
  getAddedTokens,
  getAreas,
  getBalances,
  getHistory,
  getIdentity,
  getNames,
  getNft,
  getNfts,
  getSignIns,
  loginEmail,
  loginFarcaster,
  loginPasskey,
  loginSocial,
  loginSocialInTab,
  prepareShownSignIn,
  prepareSignIn,
  registerName,
  registerShownName,
  removeAddedToken,
  resendEmail,
  resolveName,
  signOutSession,
  suggestNames,
} from './lazyActions.ts'
export { keepUsable } from './modal/keepUsable.ts'
export { forceCloseModal, openModal } from './modal/modal.ts'
export {
  closeModal,
  goBack,
  pushView,
  replaceView,
  resetViews,
  setAccountTab,
  showView,
} from './modal/navigate.ts'
export { dismissAlert, present, showAlert } from './modal/present.ts'
export { pushWalletRequest } from './modal/pushWalletRequest.ts'
export { setTheme } from './modal/setTheme.ts'
export { closeToast, showToast } from './modal/toast.ts'
export type {
  AccountTab,
  BuyDraft,
  NftRef,
  Receiver,
  SendDraft,
  SwapDraft,
  SwapToken,
  TokenRef,
  View,
  ViewName,
  WalletRequest,
} from './modal/views.ts'
export { isName } from './names/isName.ts'
export { cleanLabel, nameProblem } from './names/nameRules.ts'
export type { OwnName } from './names/registerName.ts'
export type { NamedAddress } from './names/resolveName.ts'
export type { Suggestions } from './names/suggestNames.ts'
export type { Actions } from './namespaces/actions.ts'
export type {
  Batch,
  BatchCall,
  BatchCapabilities,
  PendingTransaction,
  ReplaceAction,
} from './namespaces/batchCalls.ts'
export { readConfirmations } from './namespaces/eip155/connector/safe/readConfirmations.ts'
export { createProvider, type Eip1193Provider } from './namespaces/eip155/createProvider.ts'
export {
  defineNetwork,
  fromViemChain,
  type NetworkParameters,
  type ViemChain,
} from './namespaces/eip155/defineNetwork.ts'
export {
  getProviderConnection,
  getProviderNetwork,
} from './namespaces/eip155/provider/providerState.ts'
export {
  type AddressOf,
  getNamespaceName,
  hasAddressForm,
  isSameAddress,
  isZeroAddress,
} from './namespaces/namespaceFacts.ts'
export type { Grant, GrantRequest } from './namespaces/permissions.ts'
export type { RevokePlan } from './namespaces/revokePlan.ts'
export type { ReviewRow, SignatureReview } from './namespaces/signatureReview.ts'
export type { AllowanceChoice } from './namespaces/swapPlan.ts'
export type { TransactionOutcome } from './namespaces/transactionOutcome.ts'
export type {
  ReviewDanger,
  ReviewInput,
  ReviewOutput,
  TransactionReview,
} from './namespaces/transactionReview.ts'
export type {
  Amount,
  FeeChoice,
  FeeSpeed,
  Plan,
  SendToken,
  Step,
} from './namespaces/transferPlan.ts'
export { addNetwork } from './network/addNetwork.ts'
export { explorerUrl } from './network/explorerUrl.ts'
export { getRpcClient } from './network/getRpcClient.ts'
export { removeNetwork } from './network/removeNetwork.ts'
export { selectNamespace } from './network/selectNamespace.ts'
export { switchNetwork } from './network/switchNetwork.ts'
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
  type Network,
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
export type { NftPage } from './nfts/getNfts.ts'
export {
  type BuyOptions,
  type BuyToken,
  getBuyOptions,
  usualBuyTerms,
} from './onramp/buyOptions.ts'
export { type CheckoutWindow, openCheckoutWindow } from './onramp/checkoutWindow.ts'
export { getBuyQuote, type Purchase } from './onramp/getBuyQuote.ts'
export { getOrder } from './onramp/getOrder.ts'
export { getPurchases } from './onramp/getPurchases.ts'
export { mergePurchases } from './onramp/mergePurchases.ts'
export { isOrderOver } from './onramp/orderState.ts'
export { findSavedOrder, getSavedOrders, type SavedOrder } from './onramp/savedOrders.ts'
export {
  type AmountProblem,
  type BuySelection,
  parseBuyAmount,
  selectPurchase,
} from './onramp/selectPurchase.ts'
export { emptyBuyDraft, setBuyDraft } from './onramp/setBuyDraft.ts'
export { startOrder } from './onramp/startOrder.ts'
export { getCallsCapabilities, getCallsStatus, sendCalls, showCallsStatus } from './send/calls.ts'
export { getKnownAddresses, readKnownAddresses } from './send/knownAddresses.ts'
export {
  getMaxAmount,
  prepareSend,
  prepareShownSend,
  type SendParameters,
} from './send/prepareSend.ts'
export { getPendingTransactions, replaceTransaction } from './send/replaceTransaction.ts'
export { send } from './send/send.ts'
export { resetSendDraft, setSendDraft } from './send/setSendDraft.ts'
export { signMessage, signTypedData } from './send/sign.ts'
export { awaitsOwners, isFinal, waitForTransaction } from './send/waitForTransaction.ts'
export { callApi } from './server/callApi.ts'
export type { AreasOf } from './server/getAreas.ts'
export {
  networkImageUrl,
  serverImageUrl,
  tokenImageUrl,
  walletImageUrl,
} from './server/imageUrl.ts'
export { canRetry, retryDelayMs } from './server/retrying.ts'
export { getSessions, grantPermissions, revokePermissions } from './sessions/sessions.ts'
export { getSession, isSignInRequired, signsIn } from './siwx/session.ts'
export type { PreparedSignIn } from './siwx/signIn.ts'
export type { SignIn } from './siwx/signIns.ts'
export type { SiweConfig } from './siwx/siweConfig.ts'
export type { Siwx, SiwxConfig, SiwxSession } from './siwx/siwx.ts'
export {
  type Account,
  type AccountChoice,
  type AccountType,
  type Alert,
  activeConnection,
  activeNetwork,
  type Connected,
  type Connection,
  type ConnectorInfo,
  type ConnectorTraits,
  type FrameShown,
  isConnected,
  type Login,
  type ModalState,
  type PeerWallet,
  type Profile,
  type RecentWallet,
  type State,
  type Theme,
  type ThemeMode,
  type Toast,
  type ToastVariant,
  type User,
  type WalletList,
} from './state.ts'
export { getSwapPrices, getSwapTokens } from './swap/getSwapTokens.ts'
export { forgetSwapDraft, keepSwapDraft } from './swap/keepSwapDraft.ts'
export {
  getMaxSwap,
  isSignatureRefused,
  prepareShownSwap,
  prepareSwap,
  type ReviewedSwap,
  type SwapParameters,
} from './swap/prepareSwap.ts'
export { quoteSwap, type SwapQuote } from './swap/quoteSwap.ts'
export { forgetSwap, getSentSwaps, type SentSwap } from './swap/sentSwaps.ts'
export { setSwapDraft } from './swap/setSwapDraft.ts'
export { swap } from './swap/swap.ts'
export { fromSmallestUnit, toSmallestUnit } from './units.ts'
