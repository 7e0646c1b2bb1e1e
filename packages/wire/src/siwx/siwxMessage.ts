import type { ChainId, Namespace } from '../caip/caip.ts'

/**
 * What a sign-in message says (CAIP-122; of an EVM account EIP-4361). Times are RFC 3339 texts, as
 * `2026-01-31T12:00:00.000Z`.
 */
export type SiwxMessage = {
  /** Host of the page that asks, with its port if it has one of its own. */
  readonly domain: string
  readonly accountAddress: string
  readonly chainId: ChainId
  /** One line that the person reads. */
  readonly statement?: string
  readonly uri: string
  readonly version: '1'
  /** 8 to 128 letters and digits, good for one sign-in. */
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/**
 * The fields of a message, by which refusals are named. `text`: it has not the form of a sign-in
 * message.
 */
export type SiwxField = keyof SiwxMessage | 'text'

/** What each namespace's accounts are called in the first line. */
export const accountNames: Readonly<Record<Namespace, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bip122: 'Bitcoin',
  polkadot: 'Polkadot',
}
