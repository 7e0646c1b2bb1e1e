import { decodeBase58 } from '@latchkey/wire'

/** The form of an address. Not every match is an address: it must have 32 bytes. */
export const solanaAddressPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** The two programs that hold tokens. */
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** The mint of wrapped SOL. */
export const wrappedSol = 'So11111111111111111111111111111111111111112'

/**
 * The address, or undefined if the string is not the base58 form of 32 bytes. Case matters in
 * base58.
 */
export const parseSolanaAddress = (text: string): string | undefined =>
  solanaAddressPattern.test(text) && decodeBase58(text)?.length === 32 ? text : undefined
