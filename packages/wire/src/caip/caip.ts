/** Chain namespaces of the product (CAIP-104 names). */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]

/** Namespaces that the secure frame has keys for. */
export const frameNamespaces = ['eip155', 'solana'] as const satisfies readonly Namespace[]

/** CAIP-2 chain id, for example `eip155:31337`. */
export type ChainId = `${Namespace}:${string}`

/** CAIP-10 account id, for example `eip155:31337:0x…`. */
export type CaipAddress = `${Namespace}:${string}:${string}`

// CAIP-2 defines this alphabet and length; an EVM reference is also a decimal chain id.
const referencePattern = /^[-_a-zA-Z0-9]{1,32}$/
const decimalPattern = /^[1-9][0-9]{0,15}$/

/** Whether a string is a namespace of the product. */
export const isNamespace = (text: string): text is Namespace =>
  (namespaces as readonly string[]).includes(text)

/** Whether a string can be the reference (second part) of a CAIP-2 id in a namespace. */
export const isReference = (namespace: Namespace, reference: string) =>
  namespace === 'eip155'
    ? decimalPattern.test(reference) && Number.isSafeInteger(Number(reference))
    : referencePattern.test(reference)

/** Whether a string is a CAIP-2 id in a namespace of the product. */
export function isChainId(text: string): text is ChainId {
  const [namespace = '', reference = '', ...rest] = text.split(':')
  return rest.length === 0 && isNamespace(namespace) && isReference(namespace, reference)
}
