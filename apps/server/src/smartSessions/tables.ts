/**
 * A page's permissions for an account, which the chain has. Earlier versions of this server also
 * stored sessions that the chain did not have yet.
 */
type PermissionSessionTable = {
  pci: string
  project_id: string
  /**
   * The requesting origin: verified by the secure frame, or reported by the browser of a page that
   * opened the session on its own; null if there was no browser.
   */
  origin: string | null
  chain_id: string
  /** In lower case. */
  account: string
  /** Seconds since 1970. */
  expiry: string | number
  /** JSON, in the form in which it was requested. */
  signer: string
  permissions: string
  /** The address of the server's key, in lower case. */
  delegate: string
  key_wrapped: Uint8Array
  key_sealed: Uint8Array
  created_at: Date
  activated_at: Date | null
  /**
   * The block at which the chain had the session; null if an earlier version of this server stored
   * it.
   */
  granted_block: string | bigint | null
  revoked_at: Date | null
}

/** The amount of an allowance that the co-signer has signed, by period. */
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
