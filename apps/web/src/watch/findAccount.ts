import { type App, activeNetwork, isLatchkeyError, type Network, resolveName } from '@latchkey/core'
import { formatAddress, isAddress } from '@latchkey/react'
import { type Namespace, stripBlanks } from '@latchkey/wire'
import type { Watched } from './watched.ts'

/**
 * The account of an address or a name, on a network of this app. Undefined for anything else, and
 * for a name without an address. Throws the errors of `resolveName`.
 */
export async function findAccount(app: App, typed: string): Promise<Watched | undefined> {
  const text = stripBlanks(typed)
  const asked = getNamespaceNetworks(app)
  for (const { chainNamespace: namespace } of asked) {
    const own = await toAccount(app, { namespace, address: text })
    if (own) return own
  }
  if (!text.includes('.')) return undefined
  let failure: unknown
  for (const { caipNetworkId: chainId, chainNamespace: namespace } of asked) {
    try {
      const { address } = await resolveName(app, { name: text, chainId })
      if (address) return await toAccount(app, { namespace, address })
    } catch (error) {
      // The name may be known in another namespace.
      if (!isLatchkeyError(error, 'HTTP_FAILED') || Number(error.data.status) !== 400)
        failure ??= error
    }
  }
  if (failure) throw failure
  return undefined
}

/** A network of each namespace: the selected network first, of the others the first. */
function getNamespaceNetworks({ store }: App): Network[] {
  const state = store.getState()
  const byNamespace = new Map<Namespace, Network>()
  for (const network of [activeNetwork(state), ...state.networks])
    if (!byNamespace.has(network.chainNamespace)) byNamespace.set(network.chainNamespace, network)
  return [...byNamespace.values()]
}

async function toAccount(
  app: App,
  { namespace, address }: { namespace: Namespace; address: string },
): Promise<Watched | undefined> {
  if (!(await isAddress(app, { namespace, address }))) return undefined
  return { namespace, address: await formatAddress(app, { namespace, address }) }
}
