import type { FoundWallet } from './browserWallet.ts'
import type { BitcoinProvider } from './providers.ts'

/** Where wallets inject a provider of this form, and their names. */
const places = [
  ['unisat', 'UniSat Wallet'],
  ['okxwallet.bitcoin', 'OKX Wallet'],
  ['bitkeep.unisat', 'Bitget Wallet'],
  ['binancew3w.bitcoin', 'Binance Wallet'],
] as const

/**
 * The wallets that inject themselves in a known place. A wallet in several places is listed under
 * its own.
 */
export const findInjectedWallets = (): FoundWallet[] => {
  const known = new Set<unknown>()
  return [...places].reverse().flatMap(([path, name]) => {
    const provider = findProvider(path)
    if (!provider || known.has(provider)) return []
    known.add(provider)
    return {
      info: { id: `bip122:${path}`, kind: 'injected', name, namespaces: ['bip122'] },
      ask: () => provider.requestAccounts(),
      load: async () => (await import('./openInjectedWallet.ts')).openInjectedWallet(provider),
    }
  })
}

function findProvider(path: string): BitcoinProvider | undefined {
  try {
    const found = path
      .split('.')
      .reduce<unknown>(
        (place, key) => (place as Record<string, unknown> | undefined)?.[key],
        window,
      )
    const provider = found as BitcoinProvider | undefined
    return typeof provider?.requestAccounts === 'function' ? provider : undefined
  } catch {
    return undefined
  }
}
