import type { WatchWallets } from '../../metadata.ts'
import { watchAnnounced } from './announced.ts'
import { createInjected, injectedProvider } from './injected.ts'

/**
 * Finds the EVM wallets of this browser: those that announce themselves (EIP-6963), and the
 * injected wallet.
 */
export const watchEvmWallets: WatchWallets = (app, add) => {
  if (app.config.wallets.injected) watchInjected(app, add)
  if (app.config.wallets.eip6963) watchAnnounced(app, add)
}

const watchInjected: WatchWallets = ({ environment, signal }, add) => {
  const look = () => {
    if (injectedProvider()) add(createInjected(environment))
  }
  look()
  // The event that late injected wallets dispatch.
  window.addEventListener('ethereum#initialized', look, { signal })
}
