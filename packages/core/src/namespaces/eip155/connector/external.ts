import { LatchkeyError } from '@latchkey/wire'
import type { CreateConnector } from '../../../app.ts'
import { cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { loadOnce } from '../../../loadOnce.ts'
import { isProvider, type Provider } from './provider.ts'

export type ExternalParameters = {
  /** Stays the same between versions of the app: a saved connection names it. */
  id: string
  name: string
  /** A `data:image/…` URL, or an address that the page may load images from. */
  iconUrl?: string
  /**
   * The wallet's reverse domain name: if it is also an extension of this browser, that is listed
   * instead.
   */
  rdns?: string
  /**
   * Makes the wallet's EIP-1193 provider. It is called once, when a person chooses the wallet or
   * comes back to it.
   */
  getProvider: () => unknown
}

/**
 * A wallet that the app reaches by an EIP-1193 provider of its own. Its errors are those of a
 * browser wallet.
 */
export function external({ getProvider, ...facts }: ExternalParameters): CreateConnector {
  const { iconUrl } = facts
  return ({ environment: { sleep } }) => {
    const info = {
      ...({ id: facts.id, kind: 'external', name: cleanName(facts.name) || facts.id } as const),
      ...(iconUrl && { iconUrl }),
      ...(facts.rdns && { rdns: facts.rdns.toLowerCase() }),
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
}

function parseProvider(value: unknown): Provider {
  if (isProvider(value)) return value
  throw new LatchkeyError('CONNECTOR_NOT_FOUND')
}
