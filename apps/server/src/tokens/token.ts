/** The facts about a token. `address` has the list's spelling. */
export type Token = {
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/**
 * The form of token addresses for comparisons: lower case for EVM chains, unchanged for other
 * chains, whose addresses are case-sensitive.
 */
export const tokenKey = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address
