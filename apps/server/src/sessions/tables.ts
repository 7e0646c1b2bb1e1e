/** Permissions of a page for an account. It counts once the chain has it (`activated_at`). */
type PermissionSessionTable = {
  pci: string
  project_id: string
  /** Verified by the secure frame; null where another wallet granted it. */
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
  /** The block by which the chain had it; null before that, and for what an earlier version of this server activated. */
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

export type SessionTables = {
  permission_sessions: PermissionSessionTable
  permission_uses: PermissionUseTable
}
