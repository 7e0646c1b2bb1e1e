import type { ChainId } from '@latchkey/wire'

/** A message and what claims to be its signature. A text means its UTF-8 bytes. */
export type SignedMessage = {
  readonly chainId: ChainId
  readonly address: string
  readonly message: string | Uint8Array
  /** As wallets of the namespace write it: hex for EVM chains and Polkadot, base58 for Solana, base64 or hex for Bitcoin. */
  readonly signature: string
}
