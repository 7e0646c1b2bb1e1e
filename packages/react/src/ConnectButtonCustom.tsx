import { type Connection, type Network, openModal } from '@latchkey/core'
import type { ChainId } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { useLatchkey } from './app/context.ts'
import { useAccount } from './hooks/useAccount.ts'
import { useNetwork } from './hooks/useNetwork.ts'

/** The state and actions of a custom button. */
export type ConnectButtonState = {
  status: Connection['status']
  isConnected: boolean
  address: string | undefined
  network: Network
  /** Set while the wallet is on a network that the app does not support. */
  unsupportedChainId: ChainId | undefined
  /** Whether the modal's code has loaded; after `failed`, opening tries again. */
  modalStatus: 'idle' | 'loading' | 'ready' | 'failed'
  /** Opens the account if a wallet is connected, otherwise the list of wallets. */
  open: () => void
  /** Opens the list of networks. */
  openNetworks: () => void
  /**
   * Loads the modal and its first wallets ahead of the click: for `onPointerEnter` and `onFocus`.
   */
  prefetch: () => void
}

/** Draws nothing itself: `children` returns the button. */
export function ConnectButtonCustom({
  children,
}: {
  children: (button: ConnectButtonState) => ReactNode
}): ReactNode {
  const { app, modalStatus, prefetch } = useLatchkey()
  const { status, isConnected, address } = useAccount()
  const { network, unsupportedChainId } = useNetwork()
  return children({
    status,
    isConnected,
    address,
    network,
    unsupportedChainId,
    modalStatus,
    open: () => openModal(app),
    openNetworks: () => openModal(app, { view: { name: 'Networks' } }),
    prefetch,
  })
}
