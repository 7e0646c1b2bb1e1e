import {
  type App,
  activeNetwork,
  type Connected,
  connect,
  connectingBy,
  getCustomWallets,
  searchWallets,
  walletImageUrl,
} from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import { useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../app/context.ts'
import { useAppState } from '../app/useAppState.ts'
import { findPairingConnector, type WalletRow, walletRows } from '../views/connect/walletRows.ts'

/** A wallet that can be connected now, for a list of your own. */
export type WalletOption = {
  id: string
  name: string
  /** Absent if neither the wallet nor the directory has an image. */
  imageUrl: string | undefined
  /** Whether the wallet is in this browser. False for WalletConnect, for wallets on other devices, and for those of `connectors`. */
  installed: boolean
  /** Whether the wallet was used recently. */
  recent: boolean
  /** Asks the wallet. Call it in a click: some browsers let a wallet open its window only there. */
  connect: () => Promise<Connected>
}

const noWallets: readonly DirectoryWallet[] = []
const noOptions: readonly WalletOption[] = []

/**
 * Lists wallets for a screen of your own, in the order of the modal; none if the app has set `enableWallets: false`.
 * With `directory: true` it also asks the server for the recommended wallets of the directory, and adds them when they arrive.
 * Without it no request is made. A wallet that is not installed connects by WalletConnect: show `uri` as a QR code while it waits.
 */
export function useWallets({ directory = false }: { directory?: boolean } = {}): {
  wallets: readonly WalletOption[]
  uri: string | undefined
} {
  const { app } = useLatchkey()
  useEffect(() => void searchWallets(app), [app])
  const connectors = useAppState((state) => state.connectors)
  const recent = useAppState((state) => state.recentWallets)
  const recommended = useRecommended(app, directory)
  const codeId = findPairingConnector(connectors)?.id
  const uri = useAppState((state) => (codeId ? connectingBy(state, codeId)?.uri : undefined))
  const wallets = useMemo(
    () =>
      walletRows({
        connectors,
        recent,
        wallets: recommended,
        custom: getCustomWallets(app),
        featuredIds: app.config.featuredWalletIds,
        order: app.config.connectorTypeOrder,
      }).flatMap((row) => walletOption(app, row, codeId) ?? []),
    [app, connectors, recent, recommended, codeId],
  )
  return { wallets: app.config.enableWallets === false ? noOptions : wallets, uri }
}

/** The directory's recommended wallets; none until they arrive, and none if the server cannot be reached. */
function useRecommended(app: App, enabled: boolean): readonly DirectoryWallet[] {
  const [wallets, setWallets] = useState(noWallets)
  useEffect(() => {
    if (!enabled || app.config.enableWallets === false) return setWallets(noWallets)
    let isCurrent = true
    // Loaded here, so that an app that lists only installed wallets does not load the queries.
    import('../app/queries.ts')
      .then(({ getQueryClient, recommendedQuery }) =>
        getQueryClient(app).fetchQuery(recommendedQuery(app)),
      )
      .then(
        (found) => isCurrent && setWallets(found.wallets),
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [app, enabled])
  return wallets
}

function walletOption(
  app: App,
  row: WalletRow,
  codeId: string | undefined,
): WalletOption | undefined {
  if (row.kind === 'directory') {
    const { id, name, image_id } = row.wallet
    if (codeId === undefined) return undefined
    return {
      ...{ id, name, imageUrl: walletImageUrl(app, image_id), installed: false, recent: false },
      connect: () => connect(app, { connectorId: codeId, wallet: row.wallet }),
    }
  }
  if (row.kind === 'remote') {
    const { name, iconUrl, walletId } = row.wallet
    return {
      ...{ id: walletId, name, imageUrl: iconUrl, installed: false, recent: true },
      connect: () => connect(app, { connectorId: codeId ?? row.wallet.id }),
    }
  }
  const { chainNamespace } = activeNetwork(app.store.getState())
  const isHere = row.kind === 'here'
  // A wallet of several namespaces connects in the active one.
  const own = isHere
    ? row.connectors.find(({ namespaces }) => namespaces.includes(chainNamespace))
    : undefined
  const { id, name, iconUrl, traits } = own ?? row.info
  const installed = isHere && !traits?.isExternal
  return {
    ...{ id, name, imageUrl: iconUrl, installed, recent: isHere && row.isRecent },
    connect: () => connect(app, { connectorId: id, response: app.connectors.get(id)?.ask?.() }),
  }
}
