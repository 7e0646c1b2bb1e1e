export { addNetwork } from './actions/addNetwork.ts'
export { askWallet } from './actions/askWallet.ts'
export { balanceRetryBlockMs, portfolioLifetimeMs } from './actions/balanceTimes.ts'
export { closeFrame } from './actions/closeFrame.ts'
export { confirmDevice } from './actions/confirmDevice.ts'
export { confirmOtp } from './actions/confirmOtp.ts'
export { connect } from './actions/connect.ts'
export { disconnect } from './actions/disconnect.ts'
export { getAreas } from './actions/getAreas.ts'
export { getBalances } from './actions/getBalances.ts'
export { getHistory, type HistoryPage } from './actions/getHistory.ts'
export { getIdentity } from './actions/getIdentity.ts'
export { getNativeBalance, nativeBalanceLifetimeMs } from './actions/getNativeBalance.ts'
export { getNft } from './actions/getNft.ts'
export { getNfts, type NftPage } from './actions/getNfts.ts'
export {
  getWallets,
  prefetchedImages,
  recommendedEntries,
  searchEntries,
  searchWaitMs,
  walletPageEntries,
} from './actions/getWallets.ts'
export { networkImageUrl, tokenImageUrl, walletImageUrl } from './actions/imageUrl.ts'
export { isAddress } from './actions/isAddress.ts'
export { isEmail } from './actions/isEmail.ts'
export { isFinal } from './actions/isFinal.ts'
export { isName } from './actions/isName.ts'
export { loginEmail } from './actions/loginEmail.ts'
export { openFramePage } from './actions/openFramePage.ts'
export { openLink } from './actions/openLink.ts'
export { getMaxAmount, prepareSend, type SendParameters } from './actions/prepareSend.ts'
export { reconnect } from './actions/reconnect.ts'
export { removeNetwork } from './actions/removeNetwork.ts'
export { request } from './actions/request.ts'
export { resendEmail } from './actions/resendEmail.ts'
export { type NamedAddress, resolveName } from './actions/resolveName.ts'
export { send } from './actions/send.ts'
export { serverImageUrl } from './actions/serverImageUrl.ts'
export { setAccountTab } from './actions/setAccountTab.ts'
export { resetSendDraft, setSendDraft } from './actions/setSendDraft.ts'
export { setTheme } from './actions/setTheme.ts'
export { signMessage } from './actions/signMessage.ts'
export { signOut } from './actions/signOut.ts'
export { signTypedData } from './actions/signTypedData.ts'
export { switchNetwork } from './actions/switchNetwork.ts'
export { confirmNewEmail, confirmPresentEmail, updateEmail } from './actions/updateEmail.ts'
export { waitForTransaction } from './actions/waitForTransaction.ts'
export { type ActivityNews, watchActivity } from './actions/watchActivity.ts'
export { writeAddress } from './actions/writeAddress.ts'
export { type Amount, amountsOf } from './activity/amountsOf.ts'
export { groupByMonth, type Month } from './activity/groupByMonth.ts'
export { callApi } from './api.ts'
export type { Capability, Chain, SendPlan, SendToken } from './chains/chain.ts'
export type { Connector, ConnectorEvent, ConnectResult } from './connectors/connector.ts'
export { isSameWallet } from './connectors/dedupe.ts'
export { embeddedId } from './connectors/embedded.ts'
export { walletConnectId } from './connectors/walletConnect.ts'
export {
  type LinkedWallet,
  type WalletLink,
  type WalletLinks,
  walletLinks,
} from './connectors/walletLinks.ts'
export {
  type App,
  type Config,
  type ConnectMethod,
  createApp,
  type Environment,
  type Features,
  type Metadata,
} from './createApp.ts'
export {
  formatAmount,
  formatQuantity,
  formatRelativeTime,
  relativeTime,
  truncateAddress,
} from './format.ts'
export { framePlaceOf } from './frame/framePlaceOf.ts'
export {
  closeModal,
  forceCloseModal,
  goBack,
  openModal,
  pushView,
  replaceView,
  resetViews,
} from './modal/modal.ts'
export { dismissAlert, present, showAlert } from './modal/present.ts'
export { pushAsking } from './modal/pushAsking.ts'
export { closeToast, showToast } from './modal/toast.ts'
export type { AccountTab, Asked, NftRef, Receiver, View, ViewName } from './modal/views.ts'
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
  latchkeyOne,
  latchkeyTwo,
  linea,
  mainnet,
  mantle,
  moonbeam,
  type Network,
  optimism,
  optimismSepolia,
  polygon,
  scroll,
  sepolia,
  solana,
  solanaDevnet,
  solanaTestnet,
  zksync,
  zora,
} from './networks.ts'
export { type Page, type Platform, platformOf } from './platformOf.ts'
export {
  type Account,
  type AccountType,
  type Alert,
  activeConnection,
  activeNetwork,
  type Connected,
  type Connection,
  type ConnectorInfo,
  connectingBy,
  type FrameShown,
  isConnected,
  type Login,
  type ModalState,
  type PeerWallet,
  type Profile,
  type RecentWallet,
  type SendDraft,
  type State,
  type Theme,
  type ThemeMode,
  type Toast,
  type ToastVariant,
  type User,
} from './state.ts'
export { fromSmallestUnit, toSmallestUnit } from './units.ts'
