import { expect, test } from 'vitest'
import { getNameSkeleton } from '../../tokens/spam.ts'
import { toSolanaEntry } from './toSolanaEntry.ts'

const [me, you, mint] = ['me', 'you', 'mint']
const facts = {
  ...{ feePayer: you, own: false, instructions: [] },
  moves: [{ direction: 'in', mint, decimals: 0, amount: '1', other: you } as const],
}
const row = { slot: 1n, signature: 'signature', minedAtMs: 0, failed: false, facts }

test.each([
  ['1,000 USDC', true],
  ['Orbit #7', false],
])('security: whether an unrequested NFT called %j is spam: %s', (name, isSpam) => {
  const entry = toSolanaEntry(row, {
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    owner: me,
    chain: { nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 } },
    listed: { tokens: new Map(), knownNames: new Set([getNameSkeleton('USDC')]) },
    mints: new Map([[mint, { name, symbol: null, decimals: 0 }]]),
    getTokenIcon: () => '',
  })
  expect(entry?.transfers[0]?.nft_info).toMatchObject({ name, flags: { is_spam: isSpam } })
})
