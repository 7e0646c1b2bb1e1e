import type { CreateConnector } from '../../../../app.ts'
import { lazyConnector } from '../../../../connection/connectors/lazyConnector.ts'
import type { Transport } from './useDevice.ts'
import { chooseDevice, getHid } from './webHid.ts'

export type LedgerParameters = {
  /**
   * Opens another Ledger transport, for example WebUSB; WebHID unless set. It is called for each
   * use and closed after it.
   */
  openTransport?: () => Promise<Transport>
}

/** The wallet's id in the directory. */
const walletId = '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927'
const imageId = '96096b07-a2cf-8fa4-81fd-75ccdd5eafe7'

// Our own drawing: a device that is turned out of its cover.
const iconUrl = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" fill="none"><rect width="40" height="40" rx="9" fill="#16181d"/><g stroke="#fff" stroke-width="2" stroke-linejoin="round"><rect x="14.5" y="8" width="11" height="19" rx="3"/><path d="M18 12.5h4v5h-4zM17 27v5h6v-5"/></g></svg>',
)}`

/**
 * A Ledger connected to this computer. The app installs `@ledgerhq/hw-app-eth`,
 * `@ledgerhq/hw-transport-webhid` and `buffer`. They load when the user chooses the wallet, and
 * send requests only to the device. The modal shows everything that is to be signed first.
 */
export const ledger =
  ({ openTransport }: LedgerParameters = {}): CreateConnector =>
  (app) => {
    const lacks = !openTransport && !getHid() && ({ lacks: 'webHid' } as const)
    const info = {
      ...({ id: 'ledger', kind: 'external', name: 'Ledger', iconUrl, walletId, imageId } as const),
      namespaces: ['eip155'] as const,
      traits: { isExternal: true, reconnectsSavedOnly: true, isDevice: true, ...lacks },
    }
    return lazyConnector({
      info,
      open: async () => (await import('./openLedger.ts')).openLedger({ app, info, openTransport }),
      // In the click, because the browser shows its device picker only there.
      ...(!openTransport && { ask: chooseDevice }),
    })
  }
