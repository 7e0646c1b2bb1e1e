import { requestProviders } from 'mipd'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import type { ConnectorInfo } from '../../../state.ts'
import type { WatchWallets } from '../../metadata.ts'
import { lazyEip1193 } from './browserWallet.ts'
import { type InjectedProvider, isProvider } from './provider.ts'

const rdnsPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/**
 * Watches for wallets that announce themselves (EIP-6963). A wallet that announces itself again
 * replaces its provider. Invalid announcements and wallets that throw are ignored.
 */
export const watchAnnounced: WatchWallets = ({ environment: { sleep }, signal }, add) => {
  const wallets = new Map<string, { provider: InjectedProvider; followers: Set<() => void> }>()
  const stop = requestProviders((detail) => {
    const found = parseAnnouncement(detail)
    if (!found) return
    const { info, provider } = found
    const known = wallets.get(info.id)
    if (known) {
      // After an update of the extension only the new object works.
      if (known.provider === provider) return
      known.provider = provider
      for (const follow of [...known.followers]) follow()
      return
    }
    const wallet = { provider, followers: new Set<() => void>() }
    wallets.set(info.id, wallet)
    const onReplaced = (follow: () => void) => {
      wallet.followers.add(follow)
      return () => wallet.followers.delete(follow)
    }
    add(lazyEip1193({ info, provider: () => wallet.provider, onReplaced, sleep }))
  })
  signal.addEventListener('abort', () => stop?.())
}

/**
 * Parses an announcement: cleans name and rdns, and accepts only image icons. Undefined if it is
 * not a wallet.
 */
function parseAnnouncement(
  detail: unknown,
): { info: ConnectorInfo; provider: InjectedProvider } | undefined {
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
        // Not the announced uuid, which differs on each page. The id must stay the same across
        // pages.
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
