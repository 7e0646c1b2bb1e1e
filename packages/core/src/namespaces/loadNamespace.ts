import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { Chain } from './namespace.ts'

/** Namespaces that have rules. */
export const supportedNamespaces: readonly Namespace[] = ['eip155']

/** Loads a namespace's rules, and with them what they are built on. Throws NO_ADAPTER. */
export async function loadChain(namespace: Namespace): Promise<Chain> {
  if (namespace === 'eip155') return (await import('./eip155/actions.ts')).eip155
  throw new LatchkeyError('NO_ADAPTER', { data: { namespace } })
}
