/** Web addresses as spam writes them into names. Names of our field that look similar (`.eth`) do not count. */
const webAddress =
  /https?:|\bwww\.|\bt\.me\b|\bt\.ly\b|[a-z0-9-]\s?[.·]\s?(?:com|net|org|io|xyz|app|site|online|click|link|top|info|gift|claims?|events?|promo|cash|vip|live|pro|us|cc|me|gg|lol|win|fund|network|website|space|club|tech|help|bond)(?![a-z0-9])/i
const lure =
  /\b(?:claim|visit|voucher|giveaway|air-?drop(?:ped)?|redeem|winner|eligible|get your|go to)\b|\brewards?\b.*(?:\d|\bat\b|\bon\b)|(?:\d|\$).*\brewards?\b/i

type Text = string | null | undefined

// Fullwidth letters, zero-width marks and the like hide a word from a search.
const plain = (text: string) => text.normalize('NFKC').replace(/\p{Cf}|\p{Mn}/gu, '')
const isBait = (text: Text): boolean => {
  if (!text) return false
  const read = plain(text.slice(0, 300))
  return webAddress.test(read) || lure.test(read)
}

/**
 * Whether an NFT is spam: it came without the account's doing (`ownAct`: the account sent the transaction that brought
 * it) and its name, its collection's name or symbol, or its description carries a web address or a lure to claim, visit
 * or redeem. What the account itself did is never spam.
 */
export function isSpamNft({
  texts,
  ownAct,
}: {
  readonly texts: readonly Text[]
  readonly ownAct: boolean
}): boolean {
  return !ownAct && texts.some(isBait)
}

/** A movement of a fungible token, and what is known of it. `listed`: by the operator's token lists, or native. */
export type TokenMove = {
  readonly name: Text
  readonly symbol: Text
  readonly amount: bigint
  readonly listed: boolean
  /** The account sent the transaction. */
  readonly ownAct: boolean
  /** Symbols and names of the native currency and the listed tokens, each by {@link getSkeleton}. */
  readonly knownNames: ReadonlySet<string>
}

/**
 * Whether a token's movement is spam and hidden. What the account itself sent never is. An amount of zero always is:
 * anybody can have `transferFrom` log one of any account (address poisoning), of listed tokens too. Else a listed token
 * never is; another one when its name or symbol is a bait as that of an NFT, or looks like one that is listed at another
 * address.
 */
export function isSpamToken(move: TokenMove): boolean {
  if (move.ownAct) return false
  if (move.amount === 0n) return true
  if (move.listed) return false
  if (isBait(move.name) || isBait(move.symbol)) return true
  return [move.name, move.symbol].some((text) => {
    const skeleton = getSkeleton(text)
    return skeleton !== '' && move.knownNames.has(skeleton)
  })
}

/** Letters of other scripts that look like Latin ones in capitals. */
const lookalikes: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  І: 'I',
  Ј: 'J',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Ѕ: 'S',
  Т: 'T',
  У: 'Y',
  Х: 'X',
  Α: 'A',
  Β: 'B',
  Ε: 'E',
  Ζ: 'Z',
  Η: 'H',
  Ι: 'I',
  Κ: 'K',
  Μ: 'M',
  Ν: 'N',
  Ο: 'O',
  Ρ: 'P',
  Τ: 'T',
  Υ: 'Y',
  Χ: 'X',
  Ꭰ: 'D',
  Ꭼ: 'E',
  Ꮯ: 'C',
  Ꮪ: 'S',
  Ս: 'U',
  '0': 'O',
  '1': 'I',
  L: 'I',
  $: '',
}

/** A symbol or name reduced to how it looks: capitals, without marks and spaces, look-alike letters replaced by one. */
export function getSkeleton(text: Text): string {
  if (!text) return ''
  const letters = plain(text.slice(0, 60)).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  return [...letters]
    .map((letter) => lookalikes[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
