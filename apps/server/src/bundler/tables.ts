import type { ColumnType, Generated } from 'kysely'

/**
 * `pending`: waits for a bundle. `sent`: in the signed transaction `bundle_hash`. `included`: mined there. `dropped`: will
 * never be, for `reason`.
 */
export type OperationStatus = 'pending' | 'sent' | 'included' | 'dropped'

type UserOperationTable = {
  chain_id: string
  hash: string
  sender: string
  /** Decimal. */
  nonce: string
  /** As JSON-RPC has it. */
  operation: ColumnType<unknown, string, string>
  max_priority_fee: string
  status: OperationStatus
  bundle_hash: string | null
  reason: string | null
  tries: Generated<number>
  created_at: Generated<Date>
  changed_at: Generated<Date>
}

/** A transaction that was signed; written before it is sent, so that no crash sends an operation twice. */
type UserOperationBundleTable = {
  chain_id: string
  hash: string
  raw: string
  nonce: number
  settled: Generated<boolean>
  /** Where it was mined; watched for a while, because a block can leave the chain. */
  block_number: ColumnType<string | null, string | null | undefined, string | null>
  created_at: Generated<Date>
}

type BundlerLeaseTable = { chain_id: string; holder: string; held_until: Date }

/** What an account was promised to be paid for, by day (UTC), in wei. */
type SponsoredTable = { chain_id: string; account: string; day: string; wei: string }

/** A promise of `sponsored_days` for one operation. `nonce` is decimal, `valid_until` seconds since 1970. */
type SponsorshipTable = {
  id: Generated<bigint>
  chain_id: string
  account: string
  nonce: string
  day: string
  wei: string
  valid_until: ColumnType<bigint, number, never>
}

export type BundlerTables = {
  user_operations: UserOperationTable
  user_operation_bundles: UserOperationBundleTable
  bundler_leases: BundlerLeaseTable
  sponsored_days: SponsoredTable
  sponsorships: SponsorshipTable
}
