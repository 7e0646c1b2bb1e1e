import type { ChainId } from '@latchkey/wire'

/** Every view of the modal and what it needs to be drawn. */
export type View =
  | { name: 'Connect' }
  | { name: 'AllWallets' }
  | { name: 'ConnectingExternal'; connectorId: string }
  /** `walletId` is a wallet's id in the directory. */
  | { name: 'ConnectingWalletConnect'; walletId: string }
  | { name: 'ConnectingWalletConnectBasic' }
  | { name: 'Account'; tab?: AccountTab }
  | { name: 'Networks' }
  | { name: 'SwitchNetwork'; chainId: ChainId }
  | { name: 'UnsupportedChain' }
  | { name: 'Send' }
  | { name: 'SendSelectToken' }
  | { name: 'SendPreview' }
  | { name: 'SendConfirmed'; hash: string }
  | { name: 'Receive' }
  | { name: 'WhatIsAWallet' }
  | { name: 'WhatIsANetwork' }
  | { name: 'GetAWallet' }
  | { name: 'Downloads'; walletId: string }

export type ViewName = View['name']
export type AccountTab = 'tokens' | 'nfts' | 'activity'
