import { isBait, type TokenMark, toLatin } from '@latchkey/wire'

type Text = string | null | undefined

/**
 * Whether an NFT is spam. The NFT of an account's own transaction (`ownAct`) never is. Any other is
 * spam if it is named like a listed token, also with an amount in the name. The name and all that
 * describes the NFT are also searched for bait, for example a web address.
 */
export function isSpamNft({
  name,
  texts,
  ownAct,
  knownNames,
}: Pick<TokenMove, 'name' | 'ownAct' | 'knownNames'> & {
  readonly texts: readonly Text[]
}): boolean {
  if (ownAct) return false
  if ([name, ...texts].some(isBait)) return true
  return [name, removeAmount(name)].some((one) => isCopy(one, knownNames))
}

/** A name without a number at its start or its end. The number of an item (`#7`) stays. */
const removeAmount = (name: Text): Text =>
  name?.slice(0, maxName).replace(/^\P{L}*\p{N}|(?<![#\p{N}])\p{N}\P{L}*$/gu, '')

/**
 * A movement of a fungible token, and the facts about the token. `listed`: in the operator's token
 * lists, or native.
 */
export type TokenMove = {
  readonly name: Text
  readonly symbol: Text
  readonly amount: bigint
  readonly listed: boolean
  /** The account sent the transaction. */
  readonly ownAct: boolean
  /**
   * Symbols and names of the native currency and the listed tokens, each by
   * {@link getNameSkeleton}.
   */
  readonly knownNames: ReadonlySet<string>
}

/**
 * Whether a token's movement is spam and hidden. A movement that the account itself sent is never
 * spam. Otherwise an amount of zero always is: anyone can make `transferFrom` log a zero transfer
 * of any account (address poisoning), also of listed tokens. Any other movement of a listed token
 * is not spam. An unlisted token is spam if its name or symbol is bait, as for an NFT, or looks
 * like a listed token.
 */
export function isSpamToken(move: TokenMove): boolean {
  if (move.ownAct) return false
  if (move.amount === 0n) return true
  if (move.listed) return false
  return markToken(move) !== undefined
}

/** Why the name of an unlisted token is misleading; undefined if nothing is wrong with the name. */
export function markToken({
  name,
  symbol,
  knownNames,
}: Pick<TokenMove, 'name' | 'symbol' | 'knownNames'>): TokenMark | undefined {
  const texts = [name, symbol]
  if (texts.some(isBait)) return 'bait'
  return texts.some((text) => isCopy(text, knownNames)) ? 'copy' : undefined
}

const isCopy = (text: Text, knownNames: TokenMove['knownNames']): boolean =>
  knownNames.has(getNameSkeleton(text))

/**
 * A name or symbol as it is shown: null for bait, also of a token that is not spam because the
 * account itself moved it.
 */
export const hideBait = (text: string | null): string | null => (isBait(text) ? null : text)

/**
 * The smallest amount of native currency from another account that is shown: a millionth of a coin,
 * in the smallest unit. Less is dust.
 */
export const getNativeDust = ({ decimals }: { readonly decimals: number }): bigint =>
  10n ** BigInt(Math.max(0, decimals - 6))

/** How many characters of a name count. */
const maxName = 60

/**
 * The visual skeleton of a symbol or name: capitals, without marks and spaces, with one letter for
 * all of its look-alikes.
 */
export function getNameSkeleton(text: Text): string {
  if (!text) return ''
  return toLatin(text.slice(0, maxName).replaceAll('$', ''))
    .replace(/[01L]/g, (one) => (one === '0' ? 'O' : 'I'))
    .replace(/[^\p{L}\p{N}]/gu, '')
}
