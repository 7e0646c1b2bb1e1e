import type { Hex } from 'viem'
import type { Ask } from '../src/approve/ask.ts'

/** The account that tests ask in the name of. */
export const account: Hex = '0x1111111111111111111111111111111111111111'

export const evmChain = {
  id: 'eip155:1',
  namespace: 'eip155',
  reference: '1',
  name: 'One',
  symbol: 'ETH',
  decimals: 18,
} as const

/** A request of a page on that chain, about to be prepared. */
export const askOf = (given: Pick<Ask, 'method' | 'params' | 'read' | 'keys'>): Ask => ({
  origin: 'https://app.example',
  claimedName: undefined,
  chain: evmChain,
  accounts: { eip155: account, solana: '' },
  known: [],
  signal: new AbortController().signal,
  now: Date.now,
  ...given,
})
