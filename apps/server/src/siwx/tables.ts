/** A nonce that was issued to a page, until it is used or expires. */
type SiwxNonceTable = {
  nonce: string
  project_id: string
  origin: string
  /** The first account (CAIP-10) that sent it: no other account can use it. */
  account: string | null
  expires_at: Date
}

type SiwxSessionTable = {
  id: string
  /** SHA-256 of the token, which only its holder has. */
  secret_hash: Buffer
  project_id: string
  origin: string
  /**
   * Namespace and address. For a contract its network and address, because another account may have
   * the same address on another network.
   */
  account: string
  chain_id: string
  address: string
  /** The token that each change must carry; null unless the session's token is in a cookie. */
  csrf: string | null
  created_at: Date
  expires_at: Date
}

export type SiwxTables = { siwx_nonces: SiwxNonceTable; siwx_sessions: SiwxSessionTable }
