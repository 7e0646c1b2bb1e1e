import type { ColumnType, Generated } from 'kysely'
import type { ActivityTables } from '../activity/tables.ts'
import type { AuthTables } from '../auth/tables.ts'
import type { NftTables } from '../nfts/tables.ts'
import type { VaultTables } from '../vault/tables.ts'

/** A project that may use this server, and the origins it may be used from (none listed: all). */
type ProjectTable = {
  id: string
  name: string
  allowed_origins: ColumnType<string[], string[] | undefined, string[]>
  created_at: Generated<Date>
}

/** Every table, as the migrations leave them. */
export type Database = { projects: ProjectTable } & ActivityTables &
  AuthTables &
  NftTables &
  VaultTables
