import type { FramePageFacts } from '@latchkey/wire'
import type { ColumnType, Generated } from 'kysely'
import type { ActivityTables } from '../activity/tables.ts'
import type { AuthTables } from '../auth/tables.ts'
import type { BundlerTables } from '../bundler/tables.ts'
import type { SolanaHistoryTables } from '../history/solana/tables.ts'
import type { NameTables } from '../names/tables.ts'
import type { NftTables } from '../nfts/tables.ts'
import type { OnrampTables } from '../onramp/tables.ts'
import type { PriceTables } from '../prices/tables.ts'
import type { SiwxTables } from '../siwx/tables.ts'
import type { SessionTables } from '../smartSessions/tables.ts'
import type { VaultTables } from '../vault/tables.ts'

/** A project that may use this server, and its allowed origins. An empty list allows all. */
type ProjectTable = {
  id: string
  name: string
  allowed_origins: ColumnType<string[], string[] | undefined, string[]>
  created_at: Generated<Date>
  /** `host`: the listed pages may pass on codes. */
  otp_surface: Generated<FramePageFacts['otpSurface']>
}

/** All tables, in the state after the last migration. */
export type Database = { projects: ProjectTable } & ActivityTables &
  AuthTables &
  BundlerTables &
  NameTables &
  NftTables &
  OnrampTables &
  SessionTables &
  SiwxTables &
  PriceTables &
  SolanaHistoryTables &
  VaultTables
