import { toLatin } from './lookalikes.ts'

/** Ends of web addresses, also with spaces around the dot. Names of our field that look similar (`.eth`) do not count. */
const domains =
  'com|net|org|io|xyz|app|site|online|click|link|top|info|gift|claims?|events?|promo|cash|vip|live|pro|us|cc|me|gg|lol|win|fund|network|website|space|club|tech|help|bond|fi'
/** Ends that are words as well, and begin a sentence if a space follows the dot alone. */
const wordDomains =
  'finance|money|exchange|trade|markets?|zone|world|today|store|shop|dev|biz|page|cloud|digital|global|rewards?|art|run|one|bet|ai|co|eu|de|uk|fr|in|is|it|to|so|id|at|be|ch|nl|im|ly|sh|pw|su|ac|tv|fm|la|ru|cn|ws|tk|ml|ga|cf|wtf|icu|cfd|sbs'
const webAddress = new RegExp(
  `https?:|\\bwww\\.|\\bt\\.me\\b|[a-z0-9-](?:\\s{0,2}\\.\\s{0,2}(?:${domains})|(?:\\s{1,2}\\.\\s{0,2}|\\.)(?:${wordDomains}))(?![a-z0-9])`,
  'i',
)
const lure =
  /\b(?:claim|visit|voucher|giveaway|air-?drop(?:ped)?|redeem|winner|eligible|get your|go to)\b|\brewards?\b.*(?:\d|\bat\b|\bon\b)|(?:\d|\$).*\brewards?\b/i

type Text = string | null | undefined

/** Signs that look like the dot of an address, and ways to write it. */
const dots = /[·。•∙‧⸱・۔܁]|[[(]\s?(?:dot|\.)\s?[\])]|(?<=\s)dot(?=\s)/gi
/** Digits and signs that stand for letters, and letters that look like another one. */
const written: Readonly<Record<string, string>> = {
  ...{ '0': 'O', '1': 'I', '3': 'E', '4': 'A', '5': 'S', '7': 'T' },
  ...{ '@': 'A', '!': 'I', L: 'I' },
}
const replaceWritten = (text: string) => text.replace(/[013457@!L]/g, (one) => written[one] ?? one)
const lureWords = new RegExp(
  `\\b(?:${replaceWritten('CLAIM|VISIT|VOUCHER|GIVEAWAY|AIRDROP|AIRDROPPED|REDEEM|WINNER|ELIGIBLE')})\\b`,
)

/** Whether a name contains a web address or a lure, even if it uses look-alikes, digits for letters, or spaces between letters. */
function isBait(text: Text): boolean {
  if (!text) return false
  const start = text.slice(0, 300).replace(dots, '.')
  const read = toLatin(start).replaceAll('_', ' ')
  const joined = replaceWritten(read).replace(/(?<=\b[A-Z])[ .*-](?=[A-Z]\b)/g, '')
  // The sign of the dollar counts as one, and not as an S, for amounts.
  return webAddress.test(read) || lure.test(read) || lure.test(start) || lureWords.test(joined)
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

/** The smallest amount of native currency from another account that is shown: a millionth of a coin, in the smallest unit. Less is dust. */
export const getNativeDust = ({ decimals }: { readonly decimals: number }): bigint =>
  10n ** BigInt(Math.max(0, decimals - 6))

/** A symbol or name reduced to how it looks: capitals, without marks and spaces, look-alike letters replaced by one. */
export function getSkeleton(text: Text): string {
  if (!text) return ''
  return toLatin(text.slice(0, 60).replaceAll('$', ''))
    .replace(/[01L]/g, (one) => written[one] ?? one)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
