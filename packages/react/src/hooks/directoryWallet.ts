import {
  type App,
  askRecommended,
  type Connected,
  connect,
  isConnected,
  openModal,
  walletImageUrl,
} from '@latchkey/core/internal'
import { type DirectoryWallet, LatchkeyError } from '@latchkey/wire'
import { type ConnectionMethod, getConnectionMethods } from '../views/connect/connectionMethods.ts'

/** A wallet that can be connected now, for a custom list. */
export type WalletOption = {
  id: string
  name: string
  /** Absent if neither the wallet nor the directory has an image. */
  imageUrl: string | undefined
  /**
   * Whether the wallet is in this browser. False for WalletConnect, for wallets on other devices,
   * and for the wallets from `connectors`.
   */
  installed: boolean
  /** Whether the wallet was used recently. */
  recent: boolean
  /**
   * How the wallet can be reached, the best method first: in this browser (`browser`), by a code
   * for another device, by a link on this phone (`phone`), by opening this page in its own browser
   * (`page`, on another device by a code: `pageCode`), by opening a web page (`webapp`) or a
   * desktop app. Empty for a wallet that must be installed first.
   */
  methods: readonly ConnectionMethod[]
  /**
   * Sends the connection request. Call it in a click: some browsers let a wallet open its window
   * only there. For a wallet that neither this browser nor a relay reaches, it opens the modal with
   * the link, the code, or where to get the wallet. It never throws: a failure is in `error` of
   * {@link useWallets}.
   */
  connect: () => void
  /** The same. Resolves to the connection, and rejects with the error. */
  connectAsync: () => Promise<Connected>
}

/** A wallet option before {@link useWallets} adds the functions that report their progress. */
export type FoundWallet = Omit<WalletOption, 'connect' | 'connectAsync'> & {
  readonly start: () => Promise<Connected>
}

const pairing: ReadonlySet<ConnectionMethod> = new Set(['code', 'phone', 'webapp', 'desktop'])

/** Requests the directory's wallets, and returns a function that prepares one of them. */
export function requestDirectory(app: App): typeof directoryWallet {
  askRecommended(app)
  return directoryWallet
}

/**
 * A wallet of the directory, for {@link useWallets}. If no pairing reaches it, `connect` opens the
 * modal with a link or a code that opens this page in the wallet, or with the places to get the
 * wallet.
 */
function directoryWallet(
  app: App,
  { wallet, codeId }: { readonly wallet: DirectoryWallet; readonly codeId: string | undefined },
): FoundWallet {
  const { id, name, image_id } = wallet
  const methods = getConnectionMethods(app, wallet)
  const connectorId = methods.some((method) => pairing.has(method)) ? codeId : undefined
  return {
    ...{
      id,
      name,
      imageUrl: walletImageUrl(app, image_id),
      installed: false,
      recent: false,
      methods,
    },
    start: () =>
      connectorId === undefined
        ? connectInModal(app, methods.length > 0 ? 'ConnectingWalletConnect' : 'Downloads', id)
        : connect(app, { connectorId, wallet }),
  }
}

/** Resolves once an account is connected; throws USER_REJECTED if the modal is closed before. */
function connectInModal(
  app: App,
  name: 'ConnectingWalletConnect' | 'Downloads',
  walletId: string,
): Promise<Connected> {
  const known = new Set(Object.values(app.store.getState().connections))
  openModal(app, { view: { name, walletId } })
  return new Promise((resolve, reject) => {
    const stop = app.store.subscribe(({ connections, modal }) => {
      const found = Object.values(connections).find((one) => isConnected(one) && !known.has(one))
      if (found && isConnected(found)) resolve(found)
      else if (!modal.open) reject(new LatchkeyError('USER_REJECTED'))
      else return
      stop()
    })
  })
}
