import { LatchkeyError } from '@latchkey/wire'
import type { CreateConnector } from '../../../app.ts'
import { cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { loadOnce } from '../../../loadOnce.ts'
import { type InjectedProvider, isProvider } from './provider.ts'

export type ExternalParameters = {
  /** The id of saved connections: keep it the same between versions of the app. */
  id: string
  name: string
  /** A `data:image/…` URL, or a URL from which the page may load images. */
  iconUrl?: string
  /**
   * The wallet's reverse domain name. If the wallet is also an extension of this browser, only the
   * extension is listed.
   */
  rdns?: string
  /**
   * Creates the wallet's EIP-1193 provider. Called once, when the user chooses the wallet or
   * returns to it.
   */
  getProvider: () => unknown
}

/**
 * A wallet that the app reaches through its own EIP-1193 provider. Its errors are handled like a
 * browser wallet's.
 */
export const external =
  ({ getProvider, id, name, iconUrl, rdns }: ExternalParameters): CreateConnector =>
  ({ environment: { sleep } }) => {
    const info = {
      ...({ id, kind: 'external', name: cleanName(name) || id } as const),
      ...(iconUrl && { iconUrl }),
      ...(rdns && { rdns: rdns.toLowerCase() }),
      namespaces: ['eip155'] as const,
      traits: { isExternal: true, reconnectsSavedOnly: true },
    }
    const load = loadOnce(async () => parseProvider(await getProvider()))
    return lazyConnector({
      info,
      async open() {
        const [provider, { createEip1193 }] = await Promise.all([load(), import('./eip1193.ts')])
        return createEip1193({ info, provider: () => provider, sleep })
      },
      // In the click, because its provider may open a window.
      ask: async () => (await load()).request({ method: 'eth_requestAccounts' }),
    })
  }

function parseProvider(value: unknown): InjectedProvider {
  if (isProvider(value)) return value
  throw new LatchkeyError('CONNECTOR_NOT_FOUND')
}
