import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { LoadedActions } from './actions.ts'
import { bip122 } from './bip122/facts.ts'
import { eip155 } from './eip155/facts.ts'
import type { Facts } from './facts.ts'
import { polkadot } from './polkadot/facts.ts'
import { solana } from './solana/facts.ts'

/** The form of an address in a namespace, for types. */
export type AddressOf<Of extends Namespace> = Of extends 'eip155' ? `0x${string}` : string

/** The facts of every namespace. */
export const namespaceFacts: Readonly<Record<Namespace, Facts>> = {
  eip155,
  solana,
  polkadot,
  bip122,
}

/** The display name of a namespace. */
export const getNamespaceName = (namespace: Namespace): string => namespaceFacts[namespace].name

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
  const { getAddressKey } = namespaceFacts[namespace]
  return getAddressKey(one) === getAddressKey(other)
}

/** Whether a string has the form of an address. `isAddress` verifies checksums. */
export const hasAddressForm = ({
  namespace,
  text,
}: {
  namespace: Namespace
  text: string
}): boolean => namespaceFacts[namespace].isAddress(text)

/** Whether an address is the zero address, which has no owner. */
export const isZeroAddress = ({
  namespace,
  address,
}: {
  namespace: Namespace
  address: string
}): boolean => namespaceFacts[namespace].isZeroAddress(address)

/**
 * Loads the request rules early, because a click that sends a request to a wallet must not wait for
 * them.
 */
export function loadRequestRules(namespaces: readonly Namespace[]): void {
  for (const namespace of namespaces) namespaceFacts[namespace].loadRequestRules?.().catch(() => {})
}

/** Loads a namespace's actions and their dependencies. Throws NO_ADAPTER. */
export const loadActions = async (namespace: Namespace): Promise<LoadedActions> =>
  getLoader(namespace)()

/** Throws NO_ADAPTER for a namespace without actions. */
export const assertSupported = (namespace: Namespace): void => void getLoader(namespace)

function getLoader(namespace: Namespace): () => Promise<LoadedActions> {
  // A page without type checks may pass any other name.
  const facts = Object.hasOwn(namespaceFacts, namespace) ? namespaceFacts[namespace] : undefined
  const load = facts?.loadActions
  if (!load) throw new LatchkeyError('NO_ADAPTER', { data: { namespace } })
  return load
}
