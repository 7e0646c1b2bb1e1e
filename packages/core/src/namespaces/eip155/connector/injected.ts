import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyEip1193 } from './browserWallet.ts'
import { type InjectedProvider, isProvider } from './provider.ts'

/** The provider at `window.ethereum`, if a wallet has injected it. */
export function injectedProvider(): InjectedProvider | undefined {
  try {
    const found = (globalThis as { ethereum?: unknown }).ethereum
    return isProvider(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** The connector for `window.ethereum`, for wallets that do not announce themselves. */
export const createInjected = (parameters: {
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}): Connector =>
  lazyEip1193({
    info: {
      id: 'injected',
      kind: 'injected',
      name: 'Browser Wallet',
      namespaces: ['eip155'],
      traits: { isFallback: true },
    },
    provider: injectedProvider,
    sleep: parameters.sleep,
  })
