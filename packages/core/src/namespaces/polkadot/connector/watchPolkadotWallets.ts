import { cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { walletImageUrl } from '../../../server/imageUrl.ts'
import type { WatchWallets } from '../../metadata.ts'
import { getPreferredChains, getSavedConnection } from '../../preferredChains.ts'
import type { InjectedWallet, InjectedWalletParameters } from './injectedWallet.ts'

/** The largest number of listed wallets, because a page can be flooded with them. */
const walletsLimit = 50
/** When to search again, because no event reports that a wallet has injected itself. */
const nextLooksMs = [50, 150, 300, 500, 1_000, 2_000]

/**
 * The names of wallets that inject themselves under another id, and their images in the directory,
 * because these wallets do not provide an image.
 */
const knownWallets: ReadonlyMap<string, { name: string; imageId?: string }> = new Map([
  ['polkadot-js', { name: 'Polkadot{.js}' }],
  ['subwallet-js', { name: 'SubWallet', imageId: '5bad7740-0d89-8c3b-83ce-5a12d4043b88' }],
  ['talisman', { name: 'Talisman', imageId: 'e11b033a-1cd7-8a46-8a24-8af33f1eed9a' }],
])

/**
 * Finds the Polkadot wallets of this browser, which inject themselves. Sends no request to any
 * wallet.
 */
export const watchPolkadotWallets: WatchWallets = async (app, add) => {
  const { config, environment, signal } = app
  const { sleep } = environment
  const chainIds = () => getPreferredChains(app, 'polkadot')
  if (!config.wallets.injected) return
  const keys = new Set<string>()
  const look = () => {
    for (const [key, wallet] of readInjected()) {
      const { name: knownName = key, imageId } = knownWallets.get(key) ?? {}
      const name = cleanName(knownName)
      if (name === '' || keys.has(key) || keys.size >= walletsLimit) continue
      keys.add(key)
      const id = `polkadot:${key}`
      const iconUrl = imageId && walletImageUrl(app, imageId)
      const info = {
        ...({ id, kind: 'injected', name, namespaces: ['polkadot'] } as const),
        ...(iconUrl && { iconUrl }),
      }
      const appName = config.metadata.name
      const getSaved = () => getSavedConnection(app, { namespace: 'polkadot', connectorId: id })
      add(lazyInjectedWallet({ info, wallet, appName, chainIds, getSaved, sleep }))
    }
  }
  look()
  for (const ms of nextLooksMs) {
    await sleep(ms, signal)
    if (signal.aborted) return
    look()
  }
}

/** The current value; the page's own code may have put anything there. */
function readInjected(): readonly [string, InjectedWallet][] {
  try {
    const { injectedWeb3 } = window as { injectedWeb3?: Record<string, unknown> }
    return Object.keys(injectedWeb3 ?? {})
      .slice(0, 10 * walletsLimit)
      .flatMap((key) => {
        const wallet = readWallet(injectedWeb3, key)
        return wallet ? [[key, wallet]] : []
      })
  } catch {
    return []
  }
}

function readWallet(
  injected: Record<string, unknown> | undefined,
  key: string,
): InjectedWallet | undefined {
  try {
    const wallet = injected?.[key] as InjectedWallet | null | undefined
    return key.length <= 100 && typeof wallet?.enable === 'function' ? wallet : undefined
  } catch {
    return undefined
  }
}

/**
 * A connector for an injected wallet. Everything but the first request loads at its first use,
 * because most wallets are never used.
 */
const lazyInjectedWallet = (parameters: InjectedWalletParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createInjectedWallet.ts').then((module) => module.createInjectedWallet(parameters)),
    ask: () => parameters.wallet.enable(parameters.appName),
  })
