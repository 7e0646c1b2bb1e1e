export { balanceRetryBlockMs, portfolioLifetimeMs } from './account/balanceTimes.ts'
export { formatAddress } from './account/formatAddress.ts'
export { getBalances } from './account/getBalances.ts'
export { getNativeBalance, nativeBalanceLifetimeMs } from './account/getNativeBalance.ts'
export { isAddress } from './account/isAddress.ts'
export { setAccountTab } from './account/setAccountTab.ts'
export { getHistory, type HistoryPage } from './activity/getHistory.ts'
export { groupByMonth, type Month } from './activity/groupByMonth.ts'
export { type Amount, getTransferAmounts } from './activity/transferAmounts.ts'
export { type ActivityNews, watchActivity } from './activity/watchActivity.ts'
export { askWallet } from './connection/askWallet.ts'
export { connect } from './connection/connect.ts'
export type { Connector, ConnectorEvent, ConnectResult } from './connection/connectors/connector.ts'
export { isSameWallet } from './connection/connectors/dedupe.ts'
export { embeddedId } from './connection/connectors/embedded.ts'
export { walletConnectId } from './connection/connectors/walletConnect.ts'
export { disconnect } from './connection/disconnect.ts'
export { reconnect } from './connection/reconnect.ts'
export { request } from './connection/request.ts'
export {
  type App,
  type Config,
  type ConnectMethod,
  createApp,
  type Environment,
  type Features,
  type Metadata,
} from './createApp.ts'
export { getPlatform, type Page, type Platform } from './directory/getPlatform.ts'
export {
  getWallets,
  prefetchedImages,
  recommendedEntries,
  searchEntries,
  searchWaitMs,
  walletPageEntries,
} from './directory/getWallets.ts'
export { openLink } from './directory/openLink.ts'
export {
  type LinkedWallet,
  type WalletLink,
  type WalletLinks,
  walletLinks,
} from './directory/walletLinks.ts'
export { closeFrame } from './embedded/closeFrame.ts'
export { confirmDevice } from './embedded/confirmDevice.ts'
export { confirmOtp } from './embedded/confirmOtp.ts'
export { getFramePlace } from './embedded/getFramePlace.ts'
export { isEmail } from './embedded/isEmail.ts'
export { loginEmail } from './embedded/loginEmail.ts'
export { openFramePage } from './embedded/openFramePage.ts'
export { resendEmail } from './embedded/resendEmail.ts'
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
  closeModal,
  forceCloseModal,
  goBack,
  openModal,
  pushView,
  replaceView,
  resetViews,
} from './modal/modal.ts'
export { dismissAlert, present, showAlert } from './modal/present.ts'
export { pushWalletRequest } from './modal/pushWalletRequest.ts'
export { setTheme } from './modal/setTheme.ts'
export { closeToast, showToast } from './modal/toast.ts'
export type { AccountTab, NftRef, Receiver, View, ViewName, WalletRequest } from './modal/views.ts'
export { getIdentity } from './names/getIdentity.ts'
export { isName } from './names/isName.ts'
export { type NamedAddress, resolveName } from './names/resolveName.ts'
export { createProvider, type Eip1193Provider } from './namespaces/eip155/createProvider.ts'
export type { Capability, Chain, SendPlan, SendToken } from './namespaces/namespace.ts'
export { addNetwork } from './network/addNetwork.ts'
export {
  defineNetwork,
  fromViemChain,
  type NetworkParameters,
  type ViemChain,
} from './network/defineNetwork.ts'
export { getRpcClient } from './network/getRpcClient.ts'
export { removeNetwork } from './network/removeNetwork.ts'
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
export { getNft } from './nfts/getNft.ts'
export { getNfts, type NftPage } from './nfts/getNfts.ts'
export { isFinal } from './send/isFinal.ts'
export { getMaxAmount, prepareSend, type SendParameters } from './send/prepareSend.ts'
export { send } from './send/send.ts'
export { resetSendDraft, setSendDraft } from './send/setSendDraft.ts'
export { signMessage } from './send/signMessage.ts'
export { signTypedData } from './send/signTypedData.ts'
export { waitForTransaction } from './send/waitForTransaction.ts'
export { callApi } from './server/callApi.ts'
export { getAreas } from './server/getAreas.ts'
export { networkImageUrl, tokenImageUrl, walletImageUrl } from './server/imageUrl.ts'
export { serverImageUrl } from './server/serverImageUrl.ts'
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
