import type { ChainId } from '@latchkey/wire'

/** A value to sign and its name, both untrusted strings of the page or the contract. */
export type ReviewRow = { name: string; value: string }

/** A signature request on an EVM network, as shown in the review. */
export type SignatureReview = { chainId: ChainId; address: string } & (
  | {
      kind: 'transaction'
      /** Undefined if the transaction creates a contract. */
      to: string | undefined
      valueWei: bigint
      maxFeeWei: bigint
      /** The nonce, if the page chose another than the account's next nonce. */
      nonce: { asked: number; next: number } | undefined
      /** The transaction's access list: contracts, and the slots of each. */
      accessList: readonly ReviewRow[]
      /** Hex; undefined if the transaction has no data. */
      data: string | undefined
      /** The decoded call, if the function is known. */
      call:
        | {
            name: string
            rows: readonly ReviewRow[]
            isUnlimited: boolean
            /** Whether it changes a right, for example an allowance, and does not only send. */
            changesRights: boolean
            /** The tokens that leave the account, in their smallest unit, if it only sends them. */
            sent?: bigint | undefined
          }
        | undefined
    }
  /** `text` is hex if the bytes are not valid text. */
  | { kind: 'message'; text: string; isText: boolean }
  | {
      kind: 'typedData'
      primaryType: string
      domain: readonly ReviewRow[]
      rows: readonly ReviewRow[]
      /** Whether it lets another account take unlimited tokens. */
      isUnlimited: boolean
      /** The hash that is shown on devices that cannot show the fields. */
      domainHash: string
      messageHash: string
    }
)
