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
export { ConnectButton } from './ConnectButton.tsx'
export { useAccount } from './hooks/useAccount.ts'
export { useApp } from './hooks/useApp.ts'
export { useAppState } from './hooks/useAppState.ts'
export { useAreas } from './hooks/useAreas.ts'
export { useBalance } from './hooks/useBalance.ts'
export { useConnect } from './hooks/useConnect.ts'
export { useDisconnect } from './hooks/useDisconnect.ts'
export { useHistory } from './hooks/useHistory.ts'
export { useModal } from './hooks/useModal.ts'
export { useNetwork } from './hooks/useNetwork.ts'
export { useRemoteWallet } from './hooks/useRemoteWallet.ts'
export { useSecondsUntil } from './hooks/useSecondsUntil.ts'
export { useSend } from './hooks/useSend.ts'
export { useSignMessage } from './hooks/useSignMessage.ts'
export { useSignTypedData } from './hooks/useSignTypedData.ts'
export { useSwitchNetwork } from './hooks/useSwitchNetwork.ts'
export { useT } from './hooks/useT.ts'
export { useTheme } from './hooks/useTheme.ts'
export { useThemeRoot } from './hooks/useThemeRoot.ts'
export { useToast } from './hooks/useToast.ts'
export type { Message, MessageKey, Messages, T } from './locales/createT.ts'
export { NetworkButton } from './NetworkButton.tsx'
export { Provider } from './Provider.tsx'
export { ActivityList } from './views/ActivityList.tsx'
export { NftList } from './views/NftList.tsx'
