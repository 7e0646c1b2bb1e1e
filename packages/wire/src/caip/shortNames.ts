/**
 * Chain ids of EVM networks by their short names in the list ethereum-lists/chains, in lower case
 * (ERC-3770).
 */
export const shortNames: Readonly<Record<string, number>> = {
  eth: 1,
  oeth: 10,
  bnb: 56,
  gno: 100,
  unichain: 130,
  pol: 137,
  // The list had this name before the token was renamed, and wallets still write it.
  matic: 137,
  sonic: 146,
  ftm: 250,
  zksync: 324,
  mbeam: 1284,
  mantle: 5000,
  'kaia-mainnet': 8217,
  base: 8453,
  // The networks of a local stack.
  lk1: 31337,
  lk2: 31338,
  arb1: 42161,
  celo: 42220,
  avax: 43114,
  linea: 59144,
  berachain: 80094,
  blast: 81457,
  blastmainnet: 81457,
  basesep: 84532,
  'arb-sep': 421614,
  scr: 534352,
  zora: 7777777,
  sep: 11155111,
  opsep: 11155420,
  aurora: 1313161554,
}
