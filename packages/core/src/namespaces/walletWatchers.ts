import { watchEvmWallets } from './eip155/connector/watchEvmWallets.ts'
import type { WatchWallets } from './facts.ts'

/** How each namespace's wallets are found in this browser. These load with the page, unlike the rest of a namespace. */
export const walletWatchers: readonly WatchWallets[] = [watchEvmWallets]
