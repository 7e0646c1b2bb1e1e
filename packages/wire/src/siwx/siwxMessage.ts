import type { ChainId, Namespace } from '../caip/caip.ts'

/**
 * The fields of a sign-in message (CAIP-122; for an EVM account EIP-4361). Times are RFC 3339
 * strings, for example `2026-01-31T12:00:00.000Z`.
 */
export type SiwxMessage = {
  /** Host of the requesting page, with its port unless it is the default port. */
  readonly domain: string
  readonly accountAddress: string
  readonly chainId: ChainId
  /** One line that the user reads. */
  readonly statement?: string
  readonly uri: string
  readonly version: '1'
  /** 8 to 128 letters and digits, valid for one sign-in. */
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/**
 * The fields of a message, used to name the reason of a refusal. `text`: the string is not a
 * sign-in message.
 */
export type SiwxField = keyof SiwxMessage | 'text'

/** The name of each namespace's accounts in the first line. */
export const accountNames: Readonly<Record<Namespace, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bip122: 'Bitcoin',
  polkadot: 'Polkadot',
}
