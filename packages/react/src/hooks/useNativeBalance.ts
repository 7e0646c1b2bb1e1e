import { fromSmallestUnit, getNativeBalance } from '@latchkey/core'
import { useEffect } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useAccount } from './useAccount.ts'
import { useNetwork } from './useNetwork.ts'

/** Milliseconds between two reads of the balance. */
const EVERY_MS = 30_000

/** The native balance as a decimal string in whole units. */
export function useNativeBalance(): string | undefined {
  const app = useApp()
  const { address } = useAccount()
  const { network } = useNetwork()
  const { caipNetworkId: chainId, nativeCurrency } = network
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
    // If the balance cannot be read, it is omitted; the Account view says why.
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
