import { getIdentity, type Profile } from '@latchkey/core'
import { useEffect } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useAccount } from './useAccount.ts'
import { useNetwork } from './useNetwork.ts'

const nobody: Profile = {}

/** The name and picture of the connected account on the selected network; empty until known. */
export function useProfile(): Profile {
  const app = useApp()
  const { address } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const profile = useAppState((state) => state.profiles[`${chainId}:${address}`])
  useEffect(() => {
    if (address === undefined) return
    const controller = new AbortController()
    // Without an answer, the address is shown.
    getIdentity(app, { address, chainId, signal: controller.signal }).catch(() => {})
    return () => controller.abort()
  }, [app, address, chainId])
  return profile ?? nobody
}
