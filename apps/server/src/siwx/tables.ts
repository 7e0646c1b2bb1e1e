/** A nonce that was given to a page, until it is used or too old. */
type SiwxNonceTable = {
  nonce: string
  project_id: string
  origin: string
  /** The account (CAIP-10) that came with it first: no other can use it. */
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
   * Namespace and address; of a contract its network and address, as elsewhere it may be somebody
   * else's.
   */
  account: string
  chain_id: string
  address: string
  /** What each change has to carry; null unless the token is in a cookie. */
  csrf: string | null
  created_at: Date
  expires_at: Date
}

export type SiwxTables = { siwx_nonces: SiwxNonceTable; siwx_sessions: SiwxSessionTable }
