/**
 * The public API for apps: actions take an app, created by `createApp`, and a parameters object.
 * Networks are in `./networks`, React's hooks in `@latchkey/react`.
 */
// Create

export { createApp } from './createApp.ts'

// Connect

export { chooseAccount } from './account/chooseAccount.ts'
export { connect } from './connection/connect.ts'
export { disconnect } from './connection/disconnect.ts'
export { switchConnection } from './connection/further/switchConnection.ts'
export { reconnect } from './connection/reconnect.ts'
export { request } from './connection/requests/request.ts'
export { getWallets } from './directory/getWallets.ts'
export { createProvider } from './namespaces/eip155/createProvider.ts'

// Log in

export { openFramePage } from './embedded/openFramePage.ts'
export { signOut } from './embedded/signOut.ts'
export { confirmNewEmail, confirmPresentEmail, updateEmail } from './embedded/updateEmail.ts'
export {
  confirmDevice,
  confirmOtp,
  loginEmail,
  loginFarcaster,
  loginPasskey,
  loginSocial,
  resendEmail,
} from './lazyActions.ts'

// Account

export { getPortfolio } from './account/getPortfolio.ts'
export { watchActivity } from './activity/watchActivity.ts'
export { getAllowances } from './allowances/getAllowances.ts'
export {
  changeName,
  getBalances,
  getHistory,
  getIdentity,
  getNames,
  getNft,
  getNfts,
  registerName,
  resolveName,
} from './lazyActions.ts'

// Send and sign

export { prepareRevocation, revokeAllowances } from './allowances/revokeAllowances.ts'
export { getCallsCapabilities, getCallsStatus, sendCalls, showCallsStatus } from './send/calls.ts'
export { prepareSend } from './send/prepareSend.ts'
export { getPendingTransactions, replaceTransaction } from './send/replaceTransaction.ts'
export { send } from './send/send.ts'
export { signMessage, signTypedData } from './send/sign.ts'
export { waitForTransaction } from './send/waitForTransaction.ts'
export { getSessions, grantPermissions, revokePermissions } from './sessions/sessions.ts'

// Swap and buy

export { getBuyOptions } from './onramp/buyOptions.ts'
export { getBuyQuote } from './onramp/getBuyQuote.ts'
export { getOrder } from './onramp/getOrder.ts'
export { startOrder } from './onramp/startOrder.ts'
export { prepareSwap } from './swap/prepareSwap.ts'
export { quoteSwap } from './swap/quoteSwap.ts'
export { swap } from './swap/swap.ts'

// Sign in

export { endSignIn, getSignIns, prepareSignIn, signOutSession } from './lazyActions.ts'
export { getSession } from './siwx/session.ts'

// Networks

export { defineNetwork, fromViemChain } from './namespaces/eip155/defineNetwork.ts'
export { addNetwork } from './network/addNetwork.ts'
export { getRpcClient } from './network/getRpcClient.ts'
export { removeNetwork } from './network/removeNetwork.ts'
export { switchNetwork } from './network/switchNetwork.ts'

// Modal

export { openModal } from './modal/modal.ts'
export { closeModal } from './modal/navigate.ts'
export { setTheme } from './modal/setTheme.ts'

// Errors

export { isError as isLatchkeyError } from '@latchkey/wire'

// State

export { getCapabilities } from './capabilities.ts'
export { isSameAddress } from './namespaces/namespaceMetadata.ts'
export { activeConnection, activeNetwork, isConnected } from './state.ts'

// Types

export type { LatchkeyError } from '@latchkey/wire'
export type { Portfolio } from './account/getPortfolio.ts'
export type { PortfolioHistory } from './account/getPortfolioHistory.ts'
export type { ValueHistory } from './account/getValueHistory.ts'
export type { ActivityNews } from './activity/activityNews.ts'
export type { HistoryPage } from './activity/getHistory.ts'
export type { Day } from './activity/groupByDay.ts'
export type { Month } from './activity/groupByMonth.ts'
export type { TransferAmount } from './activity/transferAmounts.ts'
export type { AllowancePage } from './allowances/getAllowances.ts'
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
export type { Capabilities } from './capabilities.ts'
export type { Connector, ConnectorEvent, ConnectResult } from './connection/connectors/connector.ts'
export type { Page, Platform } from './directory/getPlatform.ts'
export type { LinkedWallet, WalletLink, WalletLinks } from './directory/walletLinks.ts'
export type { SocialWindow } from './embedded/login/loginSocial.ts'
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
export type { Eip1193Provider } from './namespaces/eip155/createProvider.ts'
export type { NetworkParameters, ViemChain } from './namespaces/eip155/defineNetwork.ts'
export type { AddressOf } from './namespaces/namespaceMetadata.ts'
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
export type { Network } from './networks.ts'
export type { NftPage } from './nfts/getNfts.ts'
export type { BuyOptions, BuyToken } from './onramp/buyOptions.ts'
export type { CheckoutWindow } from './onramp/checkoutWindow.ts'
export type { Purchase } from './onramp/getBuyQuote.ts'
export type { SavedOrder } from './onramp/savedOrders.ts'
export type { AmountProblem, BuySelection } from './onramp/selectPurchase.ts'
export type { Register, RegisteredChainId, RegisteredNetworks } from './register.ts'
export type { SendParameters } from './send/prepareSend.ts'
export type { AreasOf } from './server/getAreas.ts'
export type { PreparedSignIn } from './siwx/signIn.ts'
export type { SignIn } from './siwx/signIns.ts'
export type { SiweConfig } from './siwx/siweConfig.ts'
export type { Siwx, SiwxConfig, SiwxSession } from './siwx/siwx.ts'
export type {
  Account,
  AccountChoice,
  AccountType,
  Alert,
  Connected,
  Connection,
  ConnectorInfo,
  ConnectorTraits,
  Contact,
  FrameShown,
  Login,
  ModalState,
  PeerWallet,
  Profile,
  RecentWallet,
  State,
  Theme,
  ThemeMode,
  Toast,
  ToastVariant,
  User,
  WalletList,
} from './state.ts'
export type { ReviewedSwap, SwapParameters } from './swap/prepareSwap.ts'
export type { SwapQuote } from './swap/quoteSwap.ts'
export type { SentSwap } from './swap/sentSwaps.ts'
