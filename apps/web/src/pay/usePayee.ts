import { type App, isLatchkeyError, type Network, resolveName } from '@latchkey/core'
import { formatAddress, isAddress, useApp } from '@latchkey/react'
import { useEffect, useState } from 'react'
import type { LinkReceiver } from './readReceiver.ts'

/**
 * The account that a link pays. `unknown`: no account on the network has the name. `invalid`: the
 * address belongs to another network.
 */
export type Payee =
  | { status: 'found'; address: string; imageUrl?: string | undefined }
  | { status: 'loading' | 'unknown' | 'invalid' | 'failed' }

/** Finds the account behind a link's receiver on a network. */
export function usePayee({ to, isName, network }: LinkReceiver & { network: Network }): {
  payee: Payee
  retry: () => void
} {
  const app = useApp()
  const [attempt, setAttempt] = useState(0)
  const key = `${network.caipNetworkId} ${to} ${attempt}`
  const [last, setLast] = useState<{ key: string; payee: Payee }>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    findPayee(app, { to, isName, network, signal }).then(
      (payee) => signal.aborted || setLast({ key, payee }),
      () => signal.aborted || setLast({ key, payee: { status: 'failed' } }),
    )
    return () => controller.abort()
  }, [app, to, isName, network, key])
  return {
    payee: last?.key === key ? last.payee : { status: 'loading' },
    retry: () => setAttempt(attempt + 1),
  }
}

async function findPayee(
  app: App,
  { to, isName, network, signal }: LinkReceiver & { network: Network; signal: AbortSignal },
): Promise<Payee> {
  const { caipNetworkId: chainId, chainNamespace: namespace } = network
  if (!isName) {
    if (!(await isAddress(app, { address: to, namespace, chainId }))) return { status: 'invalid' }
    return { status: 'found', address: await formatAddress(app, { address: to, namespace }) }
  }
  try {
    const { address, imageUrl } = await resolveName(app, { name: to, chainId, signal })
    if (address === undefined) return { status: 'unknown' }
    const whole = await formatAddress(app, { address, namespace })
    return { status: 'found', address: whole, imageUrl }
  } catch (error) {
    const isRefused = isLatchkeyError(error, 'HTTP_FAILED') && Number(error.data.status) === 400
    return { status: isRefused ? 'unknown' : 'failed' }
  }
}
