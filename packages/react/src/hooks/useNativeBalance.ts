import { fromSmallestUnit, getNativeBalance } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useAccount } from './useAccount.ts'
import { useApp } from './useApp.ts'
import { useNetwork } from './useNetwork.ts'

/** Milliseconds between two looks at the balance (spec §9). */
const EVERY_MS = 30_000

/** The native balance as a decimal string in whole units. */
export function useNativeBalance(): string | undefined {
  const app = useApp()
  const { address } = useAccount()
  const { network } = useNetwork()
  const { caipNetworkId: chainId, nativeCurrency } = network
  const key = `${chainId}:${address}`
  const [balance, setBalance] = useState<{ key: string; wei: bigint }>()

  useEffect(() => {
    if (address === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const look = async () => {
      if (document.hidden) return
      const wei = await getNativeBalance(app, { address, chainId, signal })
      if (!signal.aborted) setBalance({ key, wei })
    }
    // A balance that cannot be read is left out; the Account view says why.
    const quietly = () => void look().catch(() => {})
    quietly()
    const timer = setInterval(quietly, EVERY_MS)
    document.addEventListener('visibilitychange', quietly)
    return () => {
      controller.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', quietly)
    }
  }, [app, address, chainId, key])

  return balance?.key === key ? fromSmallestUnit(balance.wei, nativeCurrency.decimals) : undefined
}
