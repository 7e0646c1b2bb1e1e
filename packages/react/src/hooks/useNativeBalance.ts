import { fromSmallestUnit, getNativeBalance } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/wire'
import { useEffect } from 'react'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/** How often the balance is refetched. */
const EVERY_MS = 30_000

/**
 * The native balance of a namespace's account (default: the active namespace): a decimal string in
 * whole units.
 */
export function useNativeBalance({
  namespace,
}: {
  namespace?: Namespace
} = {}): string | undefined {
  const app = useApp()
  const { address, chainId, network } = useAccountScope({ namespace })
  const { nativeCurrency } = network
  const key = `${chainId}:${address}`
  const wei = useAppState((state) => state.nativeBalances[key])

  useEffect(() => {
    if (address === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const look = async () => {
      if (document.hidden) return
      await getNativeBalance(app, { address, chainId, signal })
    }
    // If the balance cannot be read, it is omitted; the Account view shows why.
    const quietly = () => void look().catch(() => {})
    quietly()
    const timer = setInterval(quietly, EVERY_MS)
    document.addEventListener('visibilitychange', quietly)
    return () => {
      controller.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', quietly)
    }
  }, [app, address, chainId])

  return wei === undefined ? undefined : fromSmallestUnit(wei, nativeCurrency.decimals)
}
