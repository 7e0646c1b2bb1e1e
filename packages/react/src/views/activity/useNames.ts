import { getIdentity } from '@latchkey/core/internal'
import type { ChainId } from '@latchkey/wire'
import { useEffect } from 'react'
import { useApp } from '../../app/useApp.ts'

/** How many names are looked up at the same time. */
const AT_ONCE = 3

/**
 * Looks up the names and pictures of addresses, each once while its profile is unknown. The state's
 * `profiles` get the results. Without a response, the address is shown.
 */
export function useNames(addresses: readonly string[], chainId: ChainId): void {
  const app = useApp()
  // A list with the same addresses does not begin again.
  const joined = addresses.join(' ')
  useEffect(() => {
    const { profiles } = app.store.getState()
    const isUnknown = (address: string) => profiles[`${chainId}:${address}`] === undefined
    const waiting = joined.split(' ').filter((address) => address !== '' && isUnknown(address))
    const controller = new AbortController()
    const { signal } = controller
    const work = async () => {
      while (waiting.length > 0 && !signal.aborted) {
        const address = waiting.shift() ?? ''
        await getIdentity(app, { address, chainId, signal }).catch(() => {})
      }
    }
    for (let each = 0; each < AT_ONCE; each++) void work()
    return () => controller.abort()
  }, [app, joined, chainId])
}
