import type { ColumnType, Generated } from 'kysely'

type NameTable = {
  name: string
  zone: string
  /** The label as it looks: names that look alike share it. */
  skeleton: string
  owner: Buffer
  /** CAIP-2: where the owner is a contract, if it is one. */
  owner_chain: string
  /**
   * Whether the owner has signed for the name: a name that was only given to somebody is not shown
   * as theirs.
   */
  confirmed: boolean
  attributes: ColumnType<Record<string, string>, string, string>
  /** When the owner last chose it to be shown as its name; the latest choice counts. */
  primary_at: Generated<Date | null>
  registered_at: Date
  updated_at: Date
  /** When it was given up; until it is free, only its last owner can have it again. */
  released_at: Generated<Date | null>
}

type NameAddressTable = {
  name: string
  /** PostgreSQL gives 64-bit numbers as text. */
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
