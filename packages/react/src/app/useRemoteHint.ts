import type { RemoteHint } from '../views/pairing/RemoteHint.tsx'
import { useLazyImport } from './useLazyImport.ts'

const load = async () => (await import('../views/pairing/RemoteHint.tsx')).RemoteHint

/**
 * The component that tells the user where to respond to a request that waits on another device;
 * undefined until it is wanted and loaded. For a view that has to load fast and sends a request
 * only later.
 */
export function useRemoteHint({ isWanted }: { isWanted: boolean }): typeof RemoteHint | undefined {
  return useLazyImport(load, isWanted).value
}
