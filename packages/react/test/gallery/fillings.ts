/** The names and amounts in the data of the samples. Amounts are decimal strings. */
export type Filling = {
  /** The name of tokens, NFTs, apps and providers. */
  word: string
  /** The name of the connected wallet. */
  wallet: string
  /** The amount in the forms, in whole tokens. */
  amount: string
  /** Amounts of the past, in whole tokens. */
  quantity: string
  /** How many copies of an NFT the account holds. */
  count: string
  /** Amounts in dollars. */
  money: string
  /** Whether data are spam, have failed, or belong to another user by now. */
  hasProblems: boolean
}

/** Usual names and amounts. */
export const ordinary: Filling = {
  word: 'Harbour',
  wallet: 'Fieldwork',
  amount: '1.25',
  quantity: '1234.56',
  count: '3',
  money: '98.40',
  hasProblems: false,
}

/** A word without a gap, and amounts with as many digits as possible. */
export const longest: Filling = {
  word: 'Ein_sehr_langes_Wort_ohne_jede_Luecke',
  wallet: 'Fieldwork Development Wallet for Everyone',
  amount: '1234.567890123456789',
  quantity: '123456789012345.678',
  count: '123456789',
  money: '123456789.12',
  hasProblems: true,
}
