import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { LoadedActions } from './actions.ts'
import { bitcoinMetadata } from './bip122/metadata.ts'
import { evmMetadata } from './eip155/metadata.ts'
import type { NamespaceMetadata } from './metadata.ts'
import { polkadotMetadata } from './polkadot/metadata.ts'
import { solanaMetadata } from './solana/metadata.ts'

/** The form of an address in a namespace, for types. */
export type AddressOf<Of extends Namespace> = Of extends 'eip155' ? `0x${string}` : string

/** The facts of every namespace. */
export const namespaceMetadata: Readonly<Record<Namespace, NamespaceMetadata>> = {
  eip155: evmMetadata,
  solana: solanaMetadata,
  polkadot: polkadotMetadata,
  bip122: bitcoinMetadata,
}

/** The display name of a namespace. */
export const getNamespaceName = (namespace: Namespace): string => namespaceMetadata[namespace].name

/** Whether two strings are spellings of one address. */
export const isSameAddress = ({
  namespace,
  one,
  other,
}: {
  namespace: Namespace
  one: string
  other: string
}): boolean => {
  const { getAddressKey } = namespaceMetadata[namespace]
  return getAddressKey(one) === getAddressKey(other)
}

/** Whether a string has the form of an address. `isAddress` verifies checksums. */
export const hasAddressForm = ({
  namespace,
  text,
}: {
  namespace: Namespace
  text: string
}): boolean => namespaceMetadata[namespace].isAddress(text)

/** Whether an address is the zero address, which has no owner. */
export const isZeroAddress = ({
  namespace,
  address,
}: {
  namespace: Namespace
  address: string
}): boolean => namespaceMetadata[namespace].isZeroAddress(address)

/**
 * Loads the request rules early, because a click that sends a request to a wallet must not wait for
 * them.
 */
export function loadRequestHandlers(namespaces: readonly Namespace[]): void {
  for (const namespace of namespaces)
    namespaceMetadata[namespace].loadRequestHandlers?.().catch(() => {})
}

/** Loads a namespace's actions and their dependencies. Throws NO_ADAPTER. */
export const loadActions = async (namespace: Namespace): Promise<LoadedActions> =>
  getLoader(namespace)()

/** Throws NO_ADAPTER for a namespace without actions. */
export const assertSupported = (namespace: Namespace): void => void getLoader(namespace)

function getLoader(namespace: Namespace): () => Promise<LoadedActions> {
  // A page without type checks may pass any other name.
  const facts = Object.hasOwn(namespaceMetadata, namespace)
    ? namespaceMetadata[namespace]
    : undefined
  const load = facts?.loadActions
  if (!load) throw new LatchkeyError('NO_ADAPTER', { data: { namespace } })
  return load
}
