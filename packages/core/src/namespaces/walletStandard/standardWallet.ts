// The parts of the Wallet Standard (https://github.com/wallet-standard/wallet-standard) that are
// used here. Wallet data is untrusted until it is parsed.

/**
 * A wallet as it registers itself. Any of its fields may be missing or false, or throw when it is
 * read.
 */
export type StandardWallet = {
  readonly name: unknown
  readonly icon: unknown
  readonly chains: unknown
  readonly features: unknown
  readonly accounts: unknown
}

/** The API that a page gives to wallets, so that they can register themselves. */
type RegisterApi = { register(...wallets: readonly unknown[]): () => void }

/** A function of a wallet's feature, bound to it; undefined if the wallet lacks it. May throw. */
export function getFeature(
  wallet: StandardWallet,
  name: string,
  method: string,
): ((...inputs: readonly unknown[]) => unknown) | undefined {
  const feature = (wallet.features as Record<string, unknown> | null | undefined)?.[name]
  const found = (feature as Record<string, unknown> | null | undefined)?.[method]
  return typeof found === 'function' ? found.bind(feature) : undefined
}

/** The strings in a list; anything else counts as an empty list. */
export const parseTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

/** Reports every wallet that registers itself in this page, until the signal aborts. */
export function watchStandardWallets(add: (wallet: unknown) => void, signal: AbortSignal): void {
  const api: RegisterApi = Object.freeze({
    register(...wallets: readonly unknown[]) {
      for (const wallet of wallets) if (!signal.aborted) add(wallet)
      // An unregistered wallet answers no requests, which its connector reports.
      return () => {}
    },
  })
  const receive = (event: Event) => {
    try {
      ;(event as CustomEvent<(api: RegisterApi) => void>).detail(api)
    } catch {
      // A wallet's code runs here; its errors do not matter to us.
    }
  }
  window.addEventListener('wallet-standard:register-wallet', receive)
  signal.addEventListener('abort', () =>
    window.removeEventListener('wallet-standard:register-wallet', receive),
  )
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}
