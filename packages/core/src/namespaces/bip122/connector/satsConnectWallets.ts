import type { ChainId } from '@latchkey/wire'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import { parseTexts } from '../../walletStandard/standardWallet.ts'
import type { FoundWallet } from './browserWallet.ts'
import { getSatsConnectNetwork } from './chainNames.ts'
import type { SatsConnectProvider } from './providers.ts'

const entriesLimit = 200

/** The wallets in `window.btc_providers`, the list of the sats-connect protocol (WBIP004). */
export function findSatsConnectWallets(chainIds: () => readonly ChainId[]): FoundWallet[] {
  try {
    const { btc_providers: entries } = window as { btc_providers?: unknown }
    if (!Array.isArray(entries)) return []
    return entries.slice(0, entriesLimit).flatMap((entry) => parseEntry(entry, chainIds) ?? [])
  } catch {
    return []
  }
}

function parseEntry(entry: unknown, chainIds: () => readonly ChainId[]): FoundWallet | undefined {
  try {
    const { id, name: label, icon, methods: listed } = entry as Record<string, unknown>
    const name = cleanName(label)
    const provider = typeof id === 'string' && id.length <= 100 ? findProvider(id) : undefined
    if (!provider || name === '') return undefined
    const methods = parseTexts(listed)
    const iconUrl = cleanIcon(icon)
    return {
      info: {
        id: `bip122:${id}`,
        kind: 'injected',
        name,
        ...(iconUrl && { iconUrl }),
        namespaces: ['bip122'],
      },
      ask: () => askAddresses(provider, { methods, chainId: chainIds()[0] }),
      load: async () =>
        (await import('./openSatsConnectWallet.ts')).openSatsConnectWallet(provider, methods),
    }
  } catch {
    return undefined
  }
}

/** The provider at a path below `window`, for example `XverseProviders.BitcoinProvider`. */
function findProvider(path: string): SatsConnectProvider | undefined {
  const found = path
    .split('.')
    .reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], window)
  const provider = found as SatsConnectProvider | undefined
  return typeof provider?.request === 'function' ? provider : undefined
}

function askAddresses(
  provider: SatsConnectProvider,
  { methods, chainId }: { methods: readonly string[]; chainId: ChainId | undefined },
) {
  const purposes = ['payment', 'ordinals']
  if (!methods.includes('wallet_connect')) return provider.request('getAddresses', { purposes })
  const network = getSatsConnectNetwork(chainId)
  return provider.request('wallet_connect', { addresses: purposes, ...(network && { network }) })
}
