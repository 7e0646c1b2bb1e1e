import { checksumAddress } from './checksumAddress.ts'

/**
 * Whether the letters of an EVM address have both cases, which are then a checksum (EIP-55), and
 * the checksum is wrong.
 */
export const hasChecksumFault = (address: string): boolean =>
  /[a-f]/.test(address) && /[A-F]/.test(address) && address !== checksumAddress(address)
