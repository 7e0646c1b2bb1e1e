import type { WatchWallets } from '../../facts.ts'
import { watchAnnounced } from './announced.ts'
import { createInjected, injectedProvider } from './injected.ts'

/** Finds the EVM wallets of this browser: those that announce themselves (EIP-6963), and the one that is injected. */
export const watchEvmWallets: WatchWallets = ({ config, add, sleep, signal }) => {
  if (config.enableInjected !== false) watchInjected({ add, sleep, signal })
  if (config.enableEIP6963 === false) return
  const stop = watchAnnounced({ sleep, add })
  signal.addEventListener('abort', stop)
}

function watchInjected({
  add,
  sleep,
  signal,
}: Pick<Parameters<WatchWallets>[0], 'add' | 'sleep' | 'signal'>) {
  const look = () => {
    if (injectedProvider()) add(createInjected({ sleep }))
  }
  look()
  // What late injected wallets dispatch.
  window.addEventListener('ethereum#initialized', look)
  signal.addEventListener('abort', () => window.removeEventListener('ethereum#initialized', look))
}
