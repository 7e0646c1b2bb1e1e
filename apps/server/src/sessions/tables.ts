/**
 * Permissions of a page for an account, which the chain has. Earlier versions of this server also
 * stored what it did not have yet.
 */
type PermissionSessionTable = {
  pci: string
  project_id: string
  /**
   * As the secure frame has verified it, or the browser of a page says that opened it by itself;
   * null where no browser did.
   */
  origin: string | null
  chain_id: string
  /** In lower case. */
  account: string
  /** Seconds since 1970. */
  expiry: string | number
  /** JSON, as it was asked for. */
  signer: string
  permissions: string
  /** The address of the server's key, in lower case. */
  delegate: string
  key_wrapped: Uint8Array
  key_sealed: Uint8Array
  created_at: Date
  activated_at: Date | null
  /**
   * The block by which the chain had it; null for what an earlier version of this server stored.
   */
  granted_block: string | bigint | null
  revoked_at: Date | null
}

/** What the co-signer has signed of an allowance, by its period. */
type PermissionUseTable = {
  pci: string
  index: number
  period: string | number
  operation: string
  amount: string
}

/** A secret for each day (since 1970, UTC), wrapped by the keyring; kept for two days. */
type PermissionRootTable = { day: number; wrapped: Uint8Array }

export type SessionTables = {
  permission_roots: PermissionRootTable
  permission_sessions: PermissionSessionTable
  permission_uses: PermissionUseTable
}
