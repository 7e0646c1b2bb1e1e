import {
  type App,
  activeNetwork,
  type Connected,
  connect,
  getCustomWallets,
  getPendingConnection,
  searchWallets,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../app/context.ts'
import { type Action, useAction } from '../app/useAction.ts'
import { useAppState } from '../app/useAppState.ts'
import {
  findPairingConnector,
  type WalletListRow,
  walletRows,
} from '../views/connect/walletRows.ts'
import type { FoundWallet, requestDirectory, WalletOption } from './directoryWallet.ts'

/** The directory's recommended wallets, and a function that prepares one of them. */
type Directory = {
  readonly wallets: readonly DirectoryWallet[]
  readonly findWallet?: ReturnType<typeof requestDirectory>
}

const noDirectory: Directory = { wallets: [] }
const noOptions: readonly WalletOption[] = []

/**
 * Lists wallets for a custom screen, in the order of the modal; empty if the app has set
 * `wallets: { enabled: false }`. With `directory: true`, also fetches the recommended wallets of
 * the directory from the server, and lists the wallets of the last visit until they arrive.
 * Otherwise makes no request. To pair with a wallet, show `uri` as a QR code while it waits. The
 * other fields are the progress of the latest connection; `variables` has the wallet's `id`.
 */
export function useWallets({ directory = false }: { directory?: boolean } = {}): {
  wallets: readonly WalletOption[]
  uri: string | undefined
} & Omit<Action<{ id: string }, Connected>, 'mutate' | 'mutateAsync'> {
  const { app } = useLatchkey()
  useEffect(() => void searchWallets(app), [app])
  const connectors = useAppState((state) => state.connectors)
  const recent = useAppState((state) => state.recentWallets)
  const recommended = useRecommended(app, directory)
  const codeId = findPairingConnector(connectors)?.id
  const uri = useAppState((state) =>
    codeId ? getPendingConnection(state, codeId)?.uri : undefined,
  )
  const { mutate, mutateAsync, ...progress } = useAction(startConnection)
  const wallets = useMemo(
    () =>
      walletRows({
        connectors,
        recent,
        wallets: recommended.wallets,
        custom: getCustomWallets(app),
        featuredIds: app.config.wallets.featuredIds,
        order: app.config.wallets.order,
      })
        .flatMap((row) =>
          row.kind === 'directory'
            ? (recommended.findWallet?.(app, { wallet: row.wallet, codeId }) ?? [])
            : findWallet(app, row, codeId),
        )
        .map(({ start, ...wallet }) => ({
          ...wallet,
          connect: () => mutate({ id: wallet.id, start }),
          connectAsync: () => mutateAsync({ id: wallet.id, start }),
        })),
    [app, connectors, recent, recommended, codeId, mutate, mutateAsync],
  )
  return { ...progress, wallets: app.config.wallets.enabled ? wallets : noOptions, uri }
}

const startConnection = (_: App, { start }: Pick<FoundWallet, 'id' | 'start'>) => start()

/**
 * The directory's recommended wallets. Until the server has responded, the list from the last
 * visit.
 */
function useRecommended(app: App, enabled: boolean): Directory {
  const wallets = useAppState((state) => state.recommended?.list?.wallets)
  const [findWallet, setFindWallet] = useState<Directory['findWallet']>()
  useEffect(() => {
    if (!enabled || !app.config.wallets.enabled) return
    // Loaded here, so that an app that lists only installed wallets does not load this.
    import('./directoryWallet.ts').then(
      (module) => setFindWallet(() => module.requestDirectory(app)),
      () => {},
    )
  }, [app, enabled])
  return useMemo(
    () => (enabled && wallets && findWallet ? { wallets, findWallet } : noDirectory),
    [enabled, wallets, findWallet],
  )
}

function findWallet(
  app: App,
  row: Exclude<WalletListRow, { kind: 'directory' }>,
  codeId: string | undefined,
): FoundWallet {
  if (row.kind === 'remote') {
    const { name, iconUrl, walletId } = row.wallet
    return {
      ...{ id: walletId, name, imageUrl: iconUrl, installed: false, recent: true },
      methods: ['code'],
      start: () => connect(app, { connectorId: codeId ?? row.wallet.id }),
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
    methods: [isHere ? 'browser' : 'code'],
    start: () => connect(app, { connectorId: id, response: app.connectors.get(id)?.ask?.() }),
  }
}
