import {
  AccountRole,
  type Address,
  getAddressEncoder,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit'
import { programs } from '../definition.ts'

// Instructions for which the token package has no builders:
// https://github.com/solana-program/token-2022
const programAddress = programs.token2022 as Address
/** Bytes of a mint with a transfer fee and a pointer to its metadata. */
export const feeMintSize = 166 + 4 + 108 + 4 + 64
/** Bytes that the metadata adds, without its strings. */
export const metadataSize = 4 + 64 + 3 * 4 + 4

const toBytes = (address: string) => new Uint8Array(getAddressEncoder().encode(address as Address))

/**
 * Adds a transfer fee to a mint that is not initialized yet. The fee cannot change; `authority`
 * collects it.
 */
export function initializeTransferFee(parameters: {
  mint: string
  authority: string
  basisPoints: number
  maximum: bigint
}): Instruction {
  const { mint, authority, basisPoints, maximum } = parameters
  const numbers = Buffer.alloc(10)
  numbers.writeUInt16LE(basisPoints, 0)
  numbers.writeBigUInt64LE(maximum, 2)
  const data = Buffer.concat([Buffer.from([26, 0, 0, 1]), toBytes(authority), numbers])
  return { programAddress, accounts: [writable(mint)], data }
}

/** Marks a mint that is not initialized yet as the account that contains its metadata. */
export function initializeMetadataPointer(mint: string): Instruction {
  const data = Buffer.concat([Buffer.from([39, 0]), Buffer.alloc(32), toBytes(mint)])
  return { programAddress, accounts: [writable(mint)], data }
}

/** Initializes a mint after its extensions are initialized. */
export function initializeMint(parameters: {
  mint: string
  authority: string
  decimals: number
}): Instruction {
  const { mint, authority, decimals } = parameters
  const data = Buffer.concat([Buffer.from([20, decimals]), toBytes(authority), Buffer.from([0])])
  return { programAddress, accounts: [writable(mint)], data }
}

// SHA-256 of "spl_token_metadata_interface:initialize_account", its first 8 bytes.
const initializeDiscriminator = Buffer.from([210, 225, 30, 162, 88, 184, 77, 141])

/** Writes a mint's name and symbol. */
export function initializeMetadata(parameters: {
  mint: string
  authority: TransactionSigner
  name: string
  symbol: string
}): Instruction {
  const { mint, authority, name, symbol } = parameters
  const texts = [name, symbol, ''].flatMap((text) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(text))
    return [length, Buffer.from(text)]
  })
  const signer = {
    address: authority.address,
    role: AccountRole.READONLY_SIGNER,
    signer: authority,
  }
  const readonly = (address: string) => ({
    address: address as Address,
    role: AccountRole.READONLY,
  })
  return {
    programAddress,
    accounts: [writable(mint), readonly(authority.address), readonly(mint), signer],
    data: Buffer.concat([initializeDiscriminator, ...texts]),
  }
}

const writable = (address: string) => ({ address: address as Address, role: AccountRole.WRITABLE })
