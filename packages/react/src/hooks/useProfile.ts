import { getIdentity, type Profile } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'
import { useEffect } from 'react'
import { useAccountScope } from '../app/useAccountScope.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

const noProfile: Profile = {}

/**
 * The name and picture of a namespace's account (default: the active namespace); empty until known.
 */
export function useProfile({ namespace }: { namespace?: Namespace } = {}): Profile {
  const app = useApp()
  const { address, chainId } = useAccountScope({ namespace })
  const profile = useAppState((state) => state.profiles[`${chainId}:${address}`])
  useEffect(() => {
    if (address === undefined) return
    const controller = new AbortController()
    // Without a response, the address is shown.
    getIdentity(app, { address, chainId, signal: controller.signal }).catch(() => {})
    return () => controller.abort()
  }, [app, address, chainId])
  return profile ?? noProfile
}
