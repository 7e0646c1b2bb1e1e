import { isError, type Namespace, stripBlanks } from '@latchkey/wire'
import { formatAddress, isAddress } from '../account/address.ts'
import type { App } from '../app.ts'
import { hasAddressForm } from '../namespaces/namespaceMetadata.ts'
import type { Network } from '../networks.ts'
import { activeNetwork } from '../state.ts'
import { isName } from './isName.ts'
import { resolveName } from './resolveName.ts'

/** An account, and the name by which it was found. */
export type FoundAccount = { namespace: Namespace; address: string; name?: string }

/**
 * The account of an address or a name, on a network of this app; `mistyped` for an address with a
 * wrong character. Undefined for anything else, and for a name without an address. Throws the
 * errors of `resolveName`.
 */
export async function findAccount(
  app: App,
  typed: string,
): Promise<FoundAccount | 'mistyped' | undefined> {
  const text = stripBlanks(typed)
  const networks = getNamespaceNetworks(app)
  const formed = networks.filter(({ chainNamespace: namespace }) =>
    hasAddressForm({ namespace, text }),
  )
  for (const { chainNamespace: namespace } of formed)
    if (await isAddress(app, { namespace, address: text }))
      return { namespace, address: await formatAddress(app, { namespace, address: text }) }
  if (formed.length > 0) return 'mistyped'
  return isName(text) ? findNamed(app, { name: text, networks }) : undefined
}

async function findNamed(
  app: App,
  { name, networks }: { name: string; networks: readonly Network[] },
): Promise<FoundAccount | undefined> {
  let failure: unknown
  for (const { caipNetworkId: chainId, chainNamespace: namespace } of networks) {
    try {
      const { address } = await resolveName(app, { name, chainId })
      if (address)
        return { namespace, address: await formatAddress(app, { namespace, address }), name }
    } catch (error) {
      // The name may be known in another namespace.
      if (!isError(error, 'HTTP_FAILED') || Number(error.data.status) !== 400) failure ??= error
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
