import { type App, type Connected, connect, connectingBy } from '@latchkey/core'
import { useMemo } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { findPairingConnector, type WalletRow, walletRows } from '../views/connect/walletRows.ts'

/** A wallet that can be connected now, for a list of your own. */
export type WalletOption = {
  id: string
  name: string
  /** Absent where neither the wallet nor the directory has an image. */
  imageUrl: string | undefined
  /** Whether it is in this browser; WalletConnect, which reaches other devices, is not. */
  installed: boolean
  /** Whether it was used lately. */
  recent: boolean
  /** Asks the wallet; call it in a click, as some browsers let a wallet open its window only there. */
  connect: () => Promise<Connected>
}

/**
 * The wallets that are known without asking a server: those of this browser, those used lately, and WalletConnect.
 * While a connection by WalletConnect waits, `uri` is what a code has to show.
 */
export function useWallets(): { wallets: readonly WalletOption[]; uri: string | undefined } {
  const app = useApp()
  const connectors = useAppState((state) => state.connectors)
  const recent = useAppState((state) => state.recentWallets)
  const codeId = findPairingConnector(connectors)?.id
  const uri = useAppState((state) => (codeId ? connectingBy(state, codeId)?.uri : undefined))
  const wallets = useMemo(
    () =>
      walletRows({ connectors, recent, wallets: [] }).flatMap(
        (row) => walletOption(app, row, codeId) ?? [],
      ),
    [app, connectors, recent, codeId],
  )
  return { wallets, uri }
}

function walletOption(
  app: App,
  row: WalletRow,
  codeId: string | undefined,
): WalletOption | undefined {
  if (row.kind === 'directory') return undefined
  if (row.kind === 'remote') {
    const { name, iconUrl, walletId } = row.wallet
    return {
      ...{ id: walletId, name, imageUrl: iconUrl, installed: false, recent: true },
      connect: () => connect(app, { connectorId: codeId ?? row.wallet.id }),
    }
  }
  const { id, name, iconUrl } = row.info
  const installed = row.kind === 'here'
  return {
    ...{ id, name, imageUrl: iconUrl, installed, recent: installed && row.isRecent },
    connect: () => connect(app, { connectorId: id, asked: app.connectors.get(id)?.ask?.() }),
  }
}
