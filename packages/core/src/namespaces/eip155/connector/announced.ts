import { requestProviders } from 'mipd'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import type { ConnectorInfo } from '../../../state.ts'
import type { WatchWallets } from '../../facts.ts'
import { lazyEip1193 } from './browserWallet.ts'
import { isProvider, type Provider } from './provider.ts'

const rdnsPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Watches for wallets that announce themselves (EIP-6963). A wallet that lies or throws is ignored. */
export const watchAnnounced: WatchWallets = ({ environment: { sleep }, signal }, add) => {
  const stop = requestProviders((detail) => {
    const found = parseAnnouncement(detail)
    if (found) add(lazyEip1193({ info: found.info, provider: () => found.provider, sleep }))
  })
  signal.addEventListener('abort', () => stop?.())
}

/** Checks an announcement: name and rdns cleaned, only image icons; undefined if it is not a wallet. */
export function parseAnnouncement(
  detail: unknown,
): { info: ConnectorInfo; provider: Provider } | undefined {
  try {
    const { info, provider } = detail as { info: Record<string, unknown>; provider: unknown }
    const name = cleanName(info.name)
    if (name === '' || !isProvider(provider)) return undefined
    const rdns = String(info.rdns ?? '').toLowerCase()
    const hasRdns = rdns.length <= 253 && rdnsPattern.test(rdns)
    const iconUrl = cleanIcon(info.icon)
    return {
      provider,
      info: {
        // Not the announced uuid, which differs on each page: a wallet is recognised by what stays the same.
        id: hasRdns ? rdns : `announced:${name}`,
        kind: 'announced',
        name,
        ...(iconUrl && { iconUrl }),
        ...(hasRdns && { rdns }),
        namespaces: ['eip155'],
      },
    }
  } catch {
    return undefined
  }
}
