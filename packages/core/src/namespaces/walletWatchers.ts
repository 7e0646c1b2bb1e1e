import type { Namespace } from '@latchkey/wire'
import { watchEvmWallets } from './eip155/connector/watchEvmWallets.ts'
import type { WatchWallets } from './metadata.ts'

/**
 * The functions that find each namespace's wallets in this browser, for the namespaces that an app
 * configures. `watch` loads with the page, so that its wallets are in the list at once. The others
 * load only on pages that use them.
 */
export const walletWatchers: Readonly<
  Partial<Record<Namespace, { watch: WatchWallets } | { load: () => Promise<WatchWallets> }>>
> = {
  eip155: { watch: watchEvmWallets },
  solana: {
    load: () =>
      import('./solana/connector/watchSolanaWallets.ts').then(
        (module) => module.watchSolanaWallets,
      ),
  },
  polkadot: {
    load: () =>
      import('./polkadot/connector/watchPolkadotWallets.ts').then(
        (module) => module.watchPolkadotWallets,
      ),
  },
  bip122: {
    load: () =>
      import('./bip122/connector/watchBitcoinWallets.ts').then(
        (module) => module.watchBitcoinWallets,
      ),
  },
}
