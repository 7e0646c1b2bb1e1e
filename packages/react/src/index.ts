/**
 * The public API for React apps. Actions without React are in `@latchkey/core`, networks in
 * `./networks`, viem's clients in `./viem`.
 */
export type {
  Account,
  App,
  Batch,
  BatchCall,
  BatchCapabilities,
  Config,
  Connection,
  ConnectorInfo,
  Contact,
  Eip1193Provider,
  Network,
  NftRef,
  Register,
  RegisteredChainId,
  RegisteredNetworks,
  SendToken,
  SiweConfig,
  Siwx,
  SiwxConfig,
  SiwxSession,
  ThemeMode,
  View,
} from '@latchkey/core'
export { defineNetwork, fromViemChain } from '@latchkey/core'
export {
  type ContactLookalike,
  type ContactsImport,
  type FollowedAccount,
  findAccount,
  formatAddress,
  formatAmount,
  formatDollars,
  formatQuantity,
  getLatestActivity,
  getOldAllowances,
  getTransferAmounts,
  isAddress,
  listFollowedAccounts,
  networkImageUrl,
  type OldAllowance,
  type SavedContact,
  sumDollars,
  truncateAddress,
} from '@latchkey/core/internal'
export {
  type Balance,
  type CaipAddress,
  type ChainId,
  isError as isLatchkeyError,
  type LatchkeyError,
  type Namespace,
} from '@latchkey/wire'
export { useApp } from './app/useApp.ts'
export { useCount } from './app/useCount.ts'
export { useOnline } from './app/useOnline.ts'
export { ConnectButton } from './ConnectButton.tsx'
export type { ConnectButtonState } from './ConnectButtonCustom.tsx'
export { useCallsStatus } from './hooks/calls/useCallsStatus.ts'
export { useCapabilities } from './hooks/calls/useCapabilities.ts'
export { useSendCalls } from './hooks/calls/useSendCalls.ts'
export { useShowCallsStatus } from './hooks/calls/useShowCallsStatus.ts'
export { useConnections, type WalletConnection } from './hooks/connections/useConnections.ts'
export { useSwitchConnection } from './hooks/connections/useSwitchConnection.ts'
export type { DataOptions, QueryControl } from './hooks/dataOptions.ts'
export type { WalletOption } from './hooks/directoryWallet.ts'
export { useGrantPermissions } from './hooks/permissions/useGrantPermissions.ts'
export { useRevokePermissions } from './hooks/permissions/useRevokePermissions.ts'
export { usePortfolio } from './hooks/portfolio/usePortfolio.ts'
export { type AccountPortfolio, usePortfolios } from './hooks/portfolio/usePortfolios.ts'
export { useToken } from './hooks/portfolio/useToken.ts'
export { useValueHistory, type ValuedAccount } from './hooks/portfolio/useValueHistory.ts'
export { useAccount } from './hooks/useAccount.ts'
export { useActivity } from './hooks/useActivity.ts'
export { useAskRecovery } from './hooks/useAskRecovery.ts'
export { useBalances } from './hooks/useBalances.ts'
export { useConnect } from './hooks/useConnect.ts'
export { useContacts } from './hooks/useContacts.ts'
export { useDisconnect } from './hooks/useDisconnect.ts'
export { useFeatures } from './hooks/useFeatures.ts'
export { useModal } from './hooks/useModal.ts'
export { useNetwork } from './hooks/useNetwork.ts'
export { useNfts } from './hooks/useNfts.ts'
export { useProfile } from './hooks/useProfile.ts'
export { useProvider } from './hooks/useProvider.ts'
export { useRequest } from './hooks/useRequest.ts'
export { useSend } from './hooks/useSend.ts'
export { useSession } from './hooks/useSession.ts'
export { useSignMessage } from './hooks/useSignMessage.ts'
export { useSignTypedData } from './hooks/useSignTypedData.ts'
export { useSwitchNetwork } from './hooks/useSwitchNetwork.ts'
export { useTheme } from './hooks/useTheme.ts'
export { useToast } from './hooks/useToast.ts'
export { useWallets } from './hooks/useWallets.ts'
export { LatchkeyProvider } from './LatchkeyProvider.tsx'
export type { Message, MessageKey, Messages } from './locales/createT.ts'
export { NetworkButton } from './NetworkButton.tsx'
export { PageView, type PageViewName } from './PageView.tsx'
export { ActivityList } from './views/account/ActivityList.tsx'
export { useFaucet } from './views/account/useFaucet.ts'
export { PortfolioHistory } from './views/chart/PortfolioHistory.tsx'
export { ProviderMarks } from './views/connect/ProviderMarks.tsx'
export { NftList } from './views/nfts/NftList.tsx'
export { useRemoteWallet } from './views/pairing/useRemoteWallet.ts'
export { QrCode } from './views/qrCode/QrCode.tsx'
export { RecoveryFirst } from './views/recovery/RecoveryFirst.tsx'
export { RecoveryNotice } from './views/recovery/RecoveryNotice.tsx'
