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
import { getConnectMethods, type Way } from '../views/connect/connectMethods.ts'

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
   * How the wallet can be reached, the preferred way first: in this browser (`browser`), by a code
   * for another device, by a link on this phone (`phone`), by opening this page in its own browser
   * (`page`, on another device by a code: `pageCode`), by opening a web page (`webapp`) or a
   * desktop app. Empty for a wallet that must be installed first.
   */
  ways: readonly Way[]
  /**
   * Sends the connection request. Call it in a click: some browsers let a wallet open its window
   * only there. For a wallet that neither this browser nor a relay reaches, it opens the modal with
   * the link, the code, or where to get the wallet.
   */
  connect: () => Promise<Connected>
}

const pairing: ReadonlySet<Way> = new Set(['code', 'phone', 'webapp', 'desktop'])

/** Fetches the directory's wallets, and returns a function that makes an option from a wallet. */
export function askForOptions(app: App): typeof directoryOption {
  askRecommended(app)
  return directoryOption
}

/**
 * A wallet of the directory, for {@link useWallets}. If no pairing reaches it, `connect` opens the
 * modal with a link or a code that opens this page in the wallet, or with the places to get the
 * wallet.
 */
function directoryOption(
  app: App,
  { wallet, codeId }: { readonly wallet: DirectoryWallet; readonly codeId: string | undefined },
): WalletOption {
  const { id, name, image_id } = wallet
  const ways = getConnectMethods(app, wallet)
  const connectorId = ways.some((way) => pairing.has(way)) ? codeId : undefined
  return {
    ...{ id, name, imageUrl: walletImageUrl(app, image_id), installed: false, recent: false, ways },
    connect: () =>
      connectorId === undefined
        ? connectInModal(app, ways.length > 0 ? 'ConnectingWalletConnect' : 'Downloads', id)
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
