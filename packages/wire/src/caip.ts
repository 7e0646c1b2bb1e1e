import { LatchkeyError } from './errors.ts'

/** Chain namespaces of the product (CAIP-104 names). */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]

/** CAIP-2 chain id, as `eip155:31337`. */
export type ChainId = `${Namespace}:${string}`

/** CAIP-10 account id, as `eip155:31337:0x…`. */
export type CaipAddress = `${Namespace}:${string}:${string}`

// CAIP-2 and CAIP-10 name these alphabets and lengths; an EVM reference is a decimal chain id besides.
const referencePattern = /^[-_a-zA-Z0-9]{1,32}$/
const addressPattern = /^[-.%a-zA-Z0-9]{1,128}$/
const decimalPattern = /^[1-9][0-9]{0,15}$/

/** Whether a text is one of the product's namespaces. */
export const isNamespace = (text: string): text is Namespace =>
  (namespaces as readonly string[]).includes(text)

const isReference = (namespace: Namespace, reference: string) =>
  namespace === 'eip155'
    ? decimalPattern.test(reference) && Number.isSafeInteger(Number(reference))
    : referencePattern.test(reference)

/** Splits a CAIP-2 id; throws INVALID_CAIP2_NETWORK_ID unless it has exactly two valid parts. */
export function parseChainId(text: string): {
  namespace: Namespace
  reference: string
  chainId: ChainId
} {
  const [namespace = '', reference = '', ...rest] = text.split(':')
  if (rest.length > 0 || !isNamespace(namespace) || !isReference(namespace, reference))
    throw new LatchkeyError('INVALID_CAIP2_NETWORK_ID')
  return { namespace, reference, chainId: `${namespace}:${reference}` }
}

/**
 * Splits a CAIP-10 account id. Throws INVALID_CAIP10_ADDRESS unless it has exactly three parts, INVALID_CAIP_ADDRESS
 * when one of the three is malformed or of an unknown namespace.
 */
export function parseCaipAddress(text: string): {
  namespace: Namespace
  reference: string
  chainId: ChainId
  address: string
} {
  const parts = text.split(':')
  if (parts.length !== 3) throw new LatchkeyError('INVALID_CAIP10_ADDRESS')
  const [namespace = '', reference = '', address = ''] = parts
  if (
    !isNamespace(namespace) ||
    !isReference(namespace, reference) ||
    !addressPattern.test(address)
  )
    throw new LatchkeyError('INVALID_CAIP_ADDRESS')
  return { namespace, reference, chainId: `${namespace}:${reference}`, address }
}

/** Whether a text is a CAIP-2 id of the product's namespaces. */
export function isChainId(text: string): text is ChainId {
  const [namespace = '', reference = '', ...rest] = text.split(':')
  return rest.length === 0 && isNamespace(namespace) && isReference(namespace, reference)
}

/** Builds a CAIP-2 id; throws INVALID_CAIP2_NETWORK_ID. */
export const toChainId = (namespace: Namespace, reference: string | number): ChainId =>
  parseChainId(`${namespace}:${reference}`).chainId

/** Builds a CAIP-10 id from a CAIP-2 id and an address; throws INVALID_CAIP_ADDRESS or INVALID_CAIP10_ADDRESS. */
export function toCaipAddress(chainId: ChainId, address: string): CaipAddress {
  parseCaipAddress(`${chainId}:${address}`)
  return `${chainId}:${address}` as CaipAddress
}
