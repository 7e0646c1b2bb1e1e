import { toLatin } from './toLatin.ts'

/**
 * Endings of web addresses, also with spaces around the dot. Names of our field that look similar
 * (`.eth`) do not count.
 */
const domains =
  'com|net|org|io|xyz|app|site|online|click|link|top|info|gift|claims?|events?|promo|cash|vip|live|pro|us|cc|me|gg|lol|win|fund|network|website|space|club|tech|help|bond|fi'
/** Endings that are also words, and begin a sentence if a space follows the dot. */
const wordDomains =
  'finance|money|exchange|trade|markets?|zone|world|today|store|shop|dev|biz|page|cloud|digital|global|rewards?|art|run|one|bet|ai|co|eu|de|uk|fr|in|is|it|to|so|id|at|be|ch|nl|im|ly|sh|pw|su|ac|tv|fm|la|ru|cn|ws|tk|ml|ga|cf|wtf|icu|cfd|sbs'
const webAddress = new RegExp(
  `https?:|\\bwww\\.|\\bt\\.me\\b|[a-z0-9-](?:\\s{0,2}\\.\\s{0,2}(?:${domains})|(?:\\s{1,2}\\.\\s{0,2}|\\.)(?:${wordDomains}))(?![a-z0-9])`,
  'i',
)
const lure =
  /\b(?:claim|visit|voucher|giveaway|air-?drop(?:ped)?|redeem|winner|eligible|get your|go to)\b|\brewards?\b.*(?:\d|\bat\b|\bon\b)|(?:\d|\$).*\brewards?\b/i

/** Signs that look like the dot of an address, and ways to write it. */
const dots = /[·。•∙‧⸱・۔܁]|[[(]\s?(?:dot|\.)\s?[\])]/gi
/** Digits and signs used as letters, and letters that look like other letters. */
const written: Readonly<Record<string, string>> = {
  ...{ '0': 'O', '1': 'I', '3': 'E', '4': 'A', '5': 'S', '7': 'T' },
  ...{ '@': 'A', '!': 'I', L: 'I' },
}
const replaceWritten = (text: string) => text.replace(/[013457@!L]/g, (one) => written[one] ?? one)
const lureWords = new RegExp(
  `\\b(?:${replaceWritten('CLAIM|VISIT|VOUCHER|GIVEAWAY|AIRDROP|AIRDROPPED|REDEEM|WINNER|ELIGIBLE')})\\b`,
)

/**
 * Whether a name that anyone could choose contains a web address or a lure, even if it uses
 * look-alikes, digits for letters, or spaces between letters. Such a name is never shown as the
 * name of a token.
 */
export function isBait(text: string | null | undefined): boolean {
  if (!text) return false
  const start = text
    .slice(0, 300)
    .replace(dots, '.')
    .replace(/(\s)dot(?=\s)/gi, '$1.')
  const read = toLatin(start).replaceAll('_', ' ')
  const joined = replaceWritten(read).replace(/\b([A-Z])[ .*-](?=[A-Z]\b)/g, '$1')
  // A dollar sign stays a dollar sign and is not read as an S, because amounts contain it.
  return webAddress.test(read) || lure.test(read) || lure.test(start) || lureWords.test(joined)
}
