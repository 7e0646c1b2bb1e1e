// What the Wallet Standard (https://github.com/wallet-standard/wallet-standard) says of a wallet,
// as far as it is used here. Nothing that a wallet says or hands over is believed before it is
// parsed.

/**
 * A wallet as it registers itself. Any of its fields may be missing, lie or throw when it is read.
 */
export type StandardWallet = {
  readonly name: unknown
  readonly icon: unknown
  readonly chains: unknown
  readonly features: unknown
  readonly accounts: unknown
}

/** What a page hands to wallets, so that they can register themselves. */
type RegisterApi = { register(...wallets: readonly unknown[]): () => void }

/**
 * A function of one of a wallet's features, bound to it; undefined where the wallet has none. May
 * throw.
 */
export function getFeature(
  wallet: StandardWallet,
  name: string,
  method: string,
): ((...inputs: readonly unknown[]) => unknown) | undefined {
  const feature = (wallet.features as Record<string, unknown> | null | undefined)?.[name]
  const found = (feature as Record<string, unknown> | null | undefined)?.[method]
  return typeof found === 'function' ? found.bind(feature) : undefined
}

/** Texts of a list; anything else counts as an empty one. */
export const parseTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

/** Hands over whatever registers itself in this page as a wallet, until the signal ends it. */
export function watchStandardWallets(add: (wallet: unknown) => void, signal: AbortSignal): void {
  const api: RegisterApi = Object.freeze({
    register(...wallets: readonly unknown[]) {
      for (const wallet of wallets) if (!signal.aborted) add(wallet)
      // If a wallet unregisters, it answers no requests, which its connector reports.
      return () => {}
    },
  })
  const receive = (event: Event) => {
    try {
      ;(event as CustomEvent<(api: RegisterApi) => void>).detail(api)
    } catch {
      // This runs a wallet's code, whose errors do not concern us.
    }
  }
  window.addEventListener('wallet-standard:register-wallet', receive)
  signal.addEventListener('abort', () =>
    window.removeEventListener('wallet-standard:register-wallet', receive),
  )
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}
