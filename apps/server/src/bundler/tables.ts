import type { ColumnType, Generated } from 'kysely'

/**
 * `pending`: waits for a bundle. `sent`: in the signed transaction `bundle_hash`. `included`: mined
 * there. `dropped`: will never be, for `reason`.
 */
export type OperationStatus = 'pending' | 'sent' | 'included' | 'dropped'

type UserOperationTable = {
  chain_id: string
  hash: string
  sender: string
  /** Decimal. */
  nonce: string
  /** In JSON-RPC form. */
  operation: ColumnType<unknown, string, string>
  max_priority_fee: string
  /** Wei for a unit of gas; null for rows from before the column was added. */
  max_fee: string | null
  paymaster: string | null
  /** The most that it may cost, in wei. */
  prefund: string | null
  /** The code that the validation of the operation used, in the form of `seenCode`. */
  code: ColumnType<unknown, string, string>
  /** Seconds since 1970; null if the operation does not expire. */
  valid_until: ColumnType<string | null, number | null | undefined, number | null>
  /** The most gas that a bundle loses if the validation of the operation fails in a block. */
  risked_gas: ColumnType<string | null, string | null | undefined, string | null>
  /** Gas that the operation paid our bundler for. */
  paid_gas: ColumnType<string | null, string | null | undefined, string | null>
  status: OperationStatus
  bundle_hash: string | null
  reason: string | null
  /** How often no node took a bundle with this operation alone. */
  tries: Generated<number>
  /** The most operations that a bundle with this one may hold; null: no limit. */
  together: ColumnType<number | null, number | null | undefined, number | null>
  /** The bundler does not take it earlier. */
  not_before: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Generated<Date>
  changed_at: Generated<Date>
}

/**
 * A transaction that was signed; written before it is sent, so that no crash sends an operation
 * twice.
 */
type UserOperationBundleTable = {
  chain_id: string
  hash: string
  raw: string
  nonce: number
  settled: Generated<boolean>
  /** The block of the bundle; watched for a while, because a block can leave the chain. */
  block_number: ColumnType<string | null, string | null | undefined, string | null>
  block_hash: ColumnType<string | null, string | null | undefined, string | null>
  /** Gas that the bundler paid for a bundle that reverted. */
  lost_gas: ColumnType<string | null, string | null | undefined, string | null>
  /** How often in a row the bundler could not determine the outcome, and when it checks again. */
  failures: Generated<number>
  look_after: Generated<Date>
  created_at: Generated<Date>
}

/**
 * An account or a paymaster whose operations made bundles revert; none of its operations is sent
 * before `cooled_at`.
 */
type BundleOffenderTable = {
  chain_id: string
  entity: string
  strikes: number
  blamed_at: Generated<Date>
  cooled_at: Date
}

type BundlerLeaseTable = { chain_id: string; holder: string; held_until: Date }

/** The counted cost of an account, a client or all, by day (UTC), in wei. */
type SponsoredTable = { chain_id: string; account: string; day: string; wei: string }

/**
 * A promise of `sponsored_days` for one operation. `nonce` is decimal, `valid_until` seconds since
 * 1970.
 */
type SponsorshipTable = {
  id: Generated<bigint>
  chain_id: string
  account: string
  nonce: string
  day: string
  wei: string
  valid_until: ColumnType<bigint, number, never>
  /** Its hash in `user_operations`, which then contains its outcome. */
  operation: string | null
  client: string | null
  is_unsigned: Generated<boolean>
}

export type BundlerTables = {
  user_operations: UserOperationTable
  user_operation_bundles: UserOperationBundleTable
  bundle_offenders: BundleOffenderTable
  bundler_leases: BundlerLeaseTable
  sponsored_days: SponsoredTable
  sponsorships: SponsorshipTable
}
