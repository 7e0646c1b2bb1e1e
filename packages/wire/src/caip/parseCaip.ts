import { LatchkeyError } from '../errors/errors.ts'
import { type ChainId, isNamespace, isReference, type Namespace } from './caip.ts'

// CAIP-10 defines this alphabet and length.
const addressPattern = /^[-.%a-zA-Z0-9]{1,128}$/

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
 * Splits a CAIP-10 account id. Throws INVALID_CAIP10_ADDRESS unless it has exactly three parts,
 * INVALID_CAIP_ADDRESS if a part is malformed or the namespace is unknown.
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

/** Builds a CAIP-2 id; throws INVALID_CAIP2_NETWORK_ID. */
export const toChainId = (namespace: Namespace, reference: string | number): ChainId =>
  parseChainId(`${namespace}:${reference}`).chainId
