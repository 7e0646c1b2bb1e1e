import {
  type App,
  activeNetwork,
  connect,
  getCustomWallets,
  getPendingConnection,
  searchWallets,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../app/context.ts'
import { useAppState } from '../app/useAppState.ts'
import {
  findPairingConnector,
  type WalletListRow,
  walletRows,
} from '../views/connect/walletRows.ts'
import type { askForOptions, WalletOption } from './directoryOption.ts'

/** The directory's recommended wallets, and a function that makes an entry from a wallet. */
type Directory = {
  readonly wallets: readonly DirectoryWallet[]
  readonly toOption?: ReturnType<typeof askForOptions>
}

const noDirectory: Directory = { wallets: [] }
const noOptions: readonly WalletOption[] = []

/**
 * Lists wallets for a custom screen, in the order of the modal; empty if the app has set
 * `wallets: { enabled: false }`. With `directory: true`, also fetches the recommended wallets of
 * the directory from the server, and lists the wallets of the last visit until they arrive.
 * Otherwise makes no request. `ways` are the ways to reach a wallet, as in the modal. To pair with
 * a wallet, show `uri` as a QR code while it waits.
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
  const uri = useAppState((state) =>
    codeId ? getPendingConnection(state, codeId)?.uri : undefined,
  )
  const wallets = useMemo(
    () =>
      walletRows({
        connectors,
        recent,
        wallets: recommended.wallets,
        custom: getCustomWallets(app),
        featuredIds: app.config.wallets.featuredIds,
        order: app.config.wallets.order,
      }).flatMap((row) =>
        row.kind === 'directory'
          ? (recommended.toOption?.(app, { wallet: row.wallet, codeId }) ?? [])
          : walletOption(app, row, codeId),
      ),
    [app, connectors, recent, recommended, codeId],
  )
  return { wallets: app.config.wallets.enabled ? wallets : noOptions, uri }
}

/**
 * The directory's recommended wallets. Until the server has responded, the list from the last
 * visit.
 */
function useRecommended(app: App, enabled: boolean): Directory {
  const wallets = useAppState((state) => state.recommended?.list?.wallets)
  const [toOption, setToOption] = useState<Directory['toOption']>()
  useEffect(() => {
    if (!enabled || !app.config.wallets.enabled) return
    // Loaded here, so that an app that lists only installed wallets does not load this.
    import('./directoryOption.ts').then(
      (module) => setToOption(() => module.askForOptions(app)),
      () => {},
    )
  }, [app, enabled])
  return useMemo(
    () => (enabled && wallets && toOption ? { wallets, toOption } : noDirectory),
    [enabled, wallets, toOption],
  )
}

function walletOption(
  app: App,
  row: Exclude<WalletListRow, { kind: 'directory' }>,
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
  // A wallet of several namespaces connects in the active namespace.
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
