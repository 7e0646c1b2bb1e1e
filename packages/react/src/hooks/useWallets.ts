import {
  type App,
  activeNetwork,
  connect,
  connectingBy,
  getCustomWallets,
  searchWallets,
} from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import { useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../app/context.ts'
import { useAppState } from '../app/useAppState.ts'
import { findPairingConnector, type WalletRow, walletRows } from '../views/connect/walletRows.ts'
import type { directoryOption, WalletOption } from './directoryOption.ts'

/** What the directory recommends, and what makes an entry of it. */
type Directory = {
  readonly wallets: readonly DirectoryWallet[]
  readonly toOption?: typeof directoryOption
}

const noDirectory: Directory = { wallets: [] }
const noOptions: readonly WalletOption[] = []

/**
 * Lists wallets for a screen of your own, in the order of the modal; none if the app has set `enableWallets: false`.
 * With `directory: true` it also asks the server for the recommended wallets of the directory, and adds them when they arrive.
 * Without it no request is made. `ways` says how a wallet is reached, as in the modal; for one that is paired, show `uri` as a QR code while it waits.
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
        wallets: recommended.wallets,
        custom: getCustomWallets(app),
        featuredIds: app.config.featuredWalletIds,
        order: app.config.connectorTypeOrder,
      }).flatMap((row) =>
        row.kind === 'directory'
          ? (recommended.toOption?.(app, { wallet: row.wallet, codeId }) ?? [])
          : walletOption(app, row, codeId),
      ),
    [app, connectors, recent, recommended, codeId],
  )
  return { wallets: app.config.enableWallets === false ? noOptions : wallets, uri }
}

/** The directory's recommended wallets; none until they arrive, and none if the server cannot be reached. */
function useRecommended(app: App, enabled: boolean): Directory {
  const [directory, setDirectory] = useState(noDirectory)
  useEffect(() => {
    if (!enabled || app.config.enableWallets === false) return setDirectory(noDirectory)
    let isCurrent = true
    // Loaded here, so that an app that lists only installed wallets does not load this.
    const load = async () => {
      const [{ getQueryClient, recommendedQuery }, { directoryOption: toOption }] =
        await Promise.all([import('../app/queries.ts'), import('./directoryOption.ts')])
      const { wallets } = await getQueryClient(app).fetchQuery(recommendedQuery(app))
      if (isCurrent) setDirectory({ wallets, toOption })
    }
    load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [app, enabled])
  return directory
}

function walletOption(
  app: App,
  row: Exclude<WalletRow, { kind: 'directory' }>,
  codeId: string | undefined,
): WalletOption {
  if (row.kind === 'remote') {
    const { name, iconUrl, walletId } = row.wallet
    return {
      ...{ id: walletId, name, imageUrl: iconUrl, installed: false, recent: true },
      ways: ['code'],
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
    ways: [isHere ? 'browser' : 'code'],
    connect: () => connect(app, { connectorId: id, response: app.connectors.get(id)?.ask?.() }),
  }
}
