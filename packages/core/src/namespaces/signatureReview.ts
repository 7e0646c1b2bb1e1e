import type { ChainId } from '@latchkey/wire'

/**
 * A value of what is signed and its name, as the page or the contract calls it: texts of strangers.
 */
export type ReviewRow = { name: string; value: string }

/** What a key signs on an EVM network, as a person sees it first. */
export type SignatureReview = { chainId: ChainId; address: string } & (
  | {
      kind: 'transaction'
      /** Undefined where a contract is created. */
      to: string | undefined
      valueWei: bigint
      maxFeeWei: bigint
      /** The transaction's number where the page chose another than the account's next one. */
      nonce: { asked: number; next: number } | undefined
      /** What the transaction reads: contracts, and the slots of each. */
      accessList: readonly ReviewRow[]
      /** Hex; undefined where there is none. */
      data: string | undefined
      /** What the data asks of a contract, where it is one of the known functions. */
      call:
        | {
            name: string
            rows: readonly ReviewRow[]
            isUnlimited: boolean
            /** Whether it changes a right, for example an allowance, and does not only send. */
            changesRights: boolean
          }
        | undefined
    }
  /** `text` is hex where the bytes are none. */
  | { kind: 'message'; text: string; isText: boolean }
  | {
      kind: 'typedData'
      primaryType: string
      domain: readonly ReviewRow[]
      rows: readonly ReviewRow[]
      /** Whether it lets another account take tokens without a limit. */
      isUnlimited: boolean
      /** What a device shows that cannot show the fields. */
      domainHash: string
      messageHash: string
    }
)
