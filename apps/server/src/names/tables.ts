import type { ColumnType, Generated } from 'kysely'

type NameTable = {
  name: string
  zone: string
  /** The result of `getSkeleton`: labels that look the same share it. */
  skeleton: string
  owner: Buffer
  /** CAIP-2: the network on which the owner is a contract, if it is a contract. */
  owner_chain: string
  /**
   * Whether the owner has signed for the name. A name that was only given to an account is not
   * shown as the account's name.
   */
  confirmed: boolean
  attributes: ColumnType<Record<string, string>, string, string>
  /** When the owner last chose to show the name; the latest choice counts. */
  primary_at: Generated<Date | null>
  registered_at: Date
  updated_at: Date
  /**
   * When the owner released the name; until it is free, only the last owner can register it again.
   */
  released_at: Generated<Date | null>
}

type NameAddressTable = {
  name: string
  /** PostgreSQL returns 64-bit numbers as strings. */
  coin_type: ColumnType<string, number, number>
  address: Buffer
  created_at: Date
}

/** Signed messages that were used, until they are too old to be used again. */
type NameMessageTable = { hash: Buffer; expires_at: Date }

export type NameTables = {
  names: NameTable
  name_addresses: NameAddressTable
  name_messages: NameMessageTable
}
