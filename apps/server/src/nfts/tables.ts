import type { ColumnType } from 'kysely'
import type { Attribute } from './parseMetadata.ts'

/**
 * `image`: a URL, or `kept:` and the hash of a picture in the URI itself. Times are the server's.
 */
type NftMetadataTable = {
  chain_id: string
  contract: string
  /** Decimal. */
  token_id: string
  state: 'pending' | 'ready' | 'failed' | 'none'
  /** The reason of the last failure to read it. */
  reason: string | null
  name: string | null
  description: string | null
  image: string | null
  external_url: string | null
  attributes: ColumnType<Attribute[], string | undefined, string>
  /** The hash of the metadata at the time it was read. */
  hash: string | null
  read_at: Date | null
  /** Consecutive failures. */
  failures: number
  next_at: Date
}

export type NftTables = { nft_metadata: NftMetadataTable }
