/** What is known of a token. `address` is as the list writes it. */
export type Token = {
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}
