import type { Namespace } from '../caip/caip.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import { hasChecksumFault } from '../encoding/hasChecksumFault.ts'

/**
 * Whether a string has the form of a namespace's address, with a correct EIP-55 checksum if it has
 * letters of both cases.
 */
export const isSiwxAddress = (namespace: Namespace, text: string): boolean =>
  addressPatterns[namespace].test(text) &&
  (namespace !== 'solana' || decodeBase58(text)?.length === 32) &&
  (namespace !== 'eip155' || !hasChecksumFault(text))

const addressPatterns: Readonly<Record<Namespace, RegExp>> = {
  eip155: /^0x[0-9a-f]{40}$/i,
  solana: /^\w{32,44}$/,
  bip122: /^[a-z0-9]{14,90}$/i,
  polkadot: /^[1-9a-z]{46,50}$/i,
}
