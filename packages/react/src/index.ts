/** The door of the product for a React app: components and hooks here, everything headless from core. */
export * from '@latchkey/core'
export {
  type Balance,
  type CaipAddress,
  type ChainId,
  type DirectoryWallet,
  isError,
  type LatchkeyError,
  type Namespace,
} from '@latchkey/wire'
export { useApp } from './app/useApp.ts'
export { useAppState } from './app/useAppState.ts'
export { useSecondsUntil } from './app/useSecondsUntil.ts'
export { useThemeRoot } from './app/useThemeRoot.ts'
export { ConnectButton } from './ConnectButton.tsx'
export { useAccount } from './hooks/useAccount.ts'
export { useActivity } from './hooks/useActivity.ts'
export { useBalances } from './hooks/useBalances.ts'
export { useConnect } from './hooks/useConnect.ts'
export { useDisconnect } from './hooks/useDisconnect.ts'
export { useFeatures } from './hooks/useFeatures.ts'
export { useModal } from './hooks/useModal.ts'
export { useNetwork } from './hooks/useNetwork.ts'
export { useSend } from './hooks/useSend.ts'
export { useSignMessage } from './hooks/useSignMessage.ts'
export { useSignTypedData } from './hooks/useSignTypedData.ts'
export { useSwitchNetwork } from './hooks/useSwitchNetwork.ts'
export { useTheme } from './hooks/useTheme.ts'
export { useToast } from './hooks/useToast.ts'
export { LatchkeyProvider } from './LatchkeyProvider.tsx'
export type { Message, MessageKey, Messages, T } from './locales/createT.ts'
export { useT } from './locales/useT.ts'
export { NetworkButton } from './NetworkButton.tsx'
export { ActivityList } from './views/account/ActivityList.tsx'
export { useRemoteWallet } from './views/connect/useRemoteWallet.ts'
export { NftList } from './views/nfts/NftList.tsx'
