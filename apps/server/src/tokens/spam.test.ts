import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  getNameSkeleton,
  hideBait,
  isSpamNft,
  isSpamToken,
  markToken,
  type TokenMove,
} from './spam.ts'

const knownNames = new Set(['ETH', 'USDC', 'USD Coin', 'DAI'].map(getNameSkeleton))
const item = { name: null, knownNames }
const move = (changes: Partial<TokenMove>): TokenMove => ({
  name: 'Gold',
  symbol: 'GLD',
  amount: 1n,
  listed: false,
  ownAct: false,
  knownNames,
  ...changes,
})

test.each([
  ['$5000 reward at ethgift.com'],
  ['Visit usd-drop.xyz'],
  ['Claim your tokens'],
  ['https://a.example'],
  ['t.me/freemint'],
  ['ＣＬＡＩＭ now'],
  ['cl\u200Baim here'],
  ['AIRDROP winner'],
  // Cyrillic, Greek, Cherokee, Lisu, Canadian syllabics, small capitals, drawn letters, marks.
  ['Clаim 100'],
  ['СLAIM 500$'],
  ['сӏаіm'],
  ['Ꮯlaim'],
  ['ꓚꓡꓮꓲꓟ'],
  ['ᑕᒪᗩIᗰ'],
  ['ᴄʟᴀɪᴍ now'],
  ['🅲🅻🅰🅸🅼'],
  ['𝗖𝗹𝗮𝗶𝗺'],
  ['ϲlaim'],
  ['Clàím'],
  ['νisit us'],
  ['ѵіѕіt'],
  ['rеdеem'],
  ['C1aim'],
  ['cIaim'],
  ['V!s!t'],
  ['4irdr0p'],
  ['C L A I M 100'],
  ['claim_now'],
  ['1000 Rеwards'],
  ['zk-sync . fi'],
  ['zk-sync.fi'],
  ['usdc-drop。com'],
  ['usdc-drop(dot)com'],
  ['usdc dot com'],
  ['usdc-drop.соm'],
  ['usdc.finance'],
  ['usdc-drop.ai'],
  ['usdc . money'],
])('default: an unrequested NFT called %j is spam', (name) => {
  expect(isSpamNft({ ...item, name, texts: [], ownAct: false })).toBe(true)
  expect(isSpamNft({ ...item, texts: [null, name], ownAct: false })).toBe(true)
  expect(isSpamNft({ ...item, name, texts: [name], ownAct: true })).toBe(false)
})

test.each([
  ['Dev Items #4'],
  ['alice.eth'],
  ['CryptoPunk 7804'],
  ['Rewarding Landscapes'],
  ['No. 5 of 10'],
  ['Proclaimed'],
  ['Привет, мир'],
  ['Ελληνικά'],
  ['U.S. Dollar'],
  ['It is. In all'],
  ['Hello. World of art. Today'],
  ['A B C D'],
  ['Wrapped stETH 2.0'],
  ['lens.handle'],
  [''],
  [null],
])('default: an NFT called %j is not', (name) => {
  expect(isSpamNft({ ...item, name, texts: [name], ownAct: false })).toBe(false)
})

test.each([
  ['USDC'],
  ['USD Coin'],
  ['1,000 USDC'],
  ['1000USDС'],
  ['$1,000 USDC'],
  ['💰 1.000,00 $USDC'],
  ['1,000 🆄🆂🅳🅲'],
  ['USDC 1 000'],
  ['USDC: １０００'],
  ['5 ETH'],
])('security: an unrequested NFT called %j copies a listed token', (name) => {
  expect(isSpamNft({ name, texts: [], ownAct: false, knownNames })).toBe(true)
  expect(isSpamNft({ name, texts: [], ownAct: true, knownNames })).toBe(false)
})

test.each([
  'DAI #7',
  '#7 DAIsy',
  'ETH Denver 2024',
  '100 Faces of ETH Denver',
  'Rewarding 1,000 Landscapes',
  'Orbit #7',
  '1,000',
])('security: an NFT called %j does not', (name) => {
  // The symbol of a collection is not shown.
  expect(isSpamNft({ name, texts: ['ETH'], ownAct: false, knownNames })).toBe(false)
})

test.each([
  ['another token of the same symbol', { symbol: 'USDC' }],
  ['Cyrillic letters', { symbol: 'USDС' }],
  ['a zero for an O', { symbol: 'U S D C' }],
  ['the native symbol', { symbol: 'ЕТН' }],
  ['the name of a listed token', { name: 'USD  Соin' }],
  ['a listed symbol for a name', { name: 'USDC' }],
  ['a bait for a name', { name: 'usdc-bonus.com' }],
  ['a bait for a symbol', { symbol: 'claim: t.ly/x' }],
  ['a letter of the Canadian syllabics', { symbol: 'USᗞC' }],
  ['Lisu letters', { symbol: 'ꓴꓢꓓꓚ' }],
  ['small capitals', { symbol: 'ᴜꜱᴅᴄ' }],
  ['drawn letters', { symbol: '🆄🆂🅳🅲' }],
  ['Cyrillic letters in lower case', { symbol: 'usԁс' }],
  ['a dollar before it', { symbol: '$USDC' }],
  ['address poisoning', { amount: 0n }],
  ['address poisoning with a listed token', { amount: 0n, listed: true, symbol: 'USDC' }],
] as const)('param: %s', (_, changes) => {
  expect(isSpamToken(move(changes))).toBe(true)
  expect(isSpamToken(move({ ...changes, ownAct: true }))).toBe(false)
})

test.each([
  ['an unknown token', {}],
  ['a listed one', { listed: true, symbol: 'USDC', name: 'visit usdc.com' }],
  ['one that says nothing', { name: null, symbol: null }],
  ['letters that are not alike', { symbol: 'USDX' }],
] as const)('param: %s is not', (_, changes) => {
  expect(isSpamToken(move(changes))).toBe(false)
})

test("behavior: an account's own action is never spam, and a listed token only with an amount of zero", () => {
  const text = fc.option(fc.string({ unit: 'binary', maxLength: 400 }))
  fc.assert(
    fc.property(text, text, fc.bigInt({ min: 1n }), (name, symbol, amount) => {
      expect(isSpamToken(move({ name, symbol, amount, ownAct: true }))).toBe(false)
      expect(isSpamToken(move({ name, symbol, amount, listed: true }))).toBe(false)
      expect(isSpamNft({ ...item, texts: [name, symbol], ownAct: true })).toBe(false)
      expect(typeof isSpamToken(move({ name, symbol, amount }))).toBe('boolean')
    }),
  )
})

test('security: a bait name is hidden, and a copy is distinguished from bait', () => {
  expect(hideBait('Ѵіѕіt')).toBeNull()
  expect([hideBait('Gold'), hideBait(null)]).toEqual(['Gold', null])
  const markOf = (symbol: string) => markToken({ name: 'Gold', symbol, knownNames })
  expect(['UЅDС', 'Ѵіѕіt', 'GLD'].map(markOf)).toEqual(['copy', 'bait', undefined])
})

test('behavior: long names take no time', () => {
  const before = process.cpuUsage()
  for (const text of ['a'.repeat(100_000), 'reward '.repeat(20_000), '-.'.repeat(50_000)])
    isSpamNft({ ...item, texts: [text], ownAct: false })
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
})
