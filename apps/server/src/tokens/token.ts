/** What is known of a token. `address` is as the list writes it. */
export type Token = {
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/**
 * The form in which addresses of tokens are compared: of EVM chains in lower case, others as they
 * are, since case matters in them.
 */
export const tokenKey = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address
