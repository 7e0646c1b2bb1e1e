import type { Token } from './token.ts'

type Named = Pick<Token, 'name' | 'symbol'>

/** Letters of other scripts that look like these of ours. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аαɑ',
    b: 'ьƄβв',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еє℮ε',
    g: 'ɡ',
    h: 'һнհ',
    i: 'іıιl1|ӏ',
    j: 'јϳ',
    k: 'кκ',
    m: 'мⅿ',
    n: 'пոη',
    o: 'оοօ0',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ$',
    t: 'тτ',
    u: 'υս',
    v: 'νѵⅴ',
    w: 'ԝω',
    x: 'хχⅹ',
    y: 'уγ',
    z: 'ʐ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
)

/** A name as an eye takes it: one script, one case, without marks, blanks and signs. */
const seenAs = (text: string) =>
  [...text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((letter) => lookalikes[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')

const invitation =
  /https?:|www\.|t\.me|\.(?:com|org|net|io|xyz|app|site|top|finance|fi|gg|me|cc|vip|club|link|live|win|online|info|co|pro|cash|click|claims?)\b|\b(?:claim|airdrop|rewards?|visit|voucher|bonus|giveaway|redeem|gift)\b/i

/**
 * Tells whether a token nobody listed wants to pass for one of `trusted` by its name or symbol, or is a message rather
 * than a token: it carries a web address or an invitation.
 */
export function suspects(trusted: readonly Named[]): (token: Named) => boolean {
  const taken = new Set(trusted.flatMap(({ name, symbol }) => [seenAs(name), seenAs(symbol)]))
  return ({ name, symbol }) => {
    const shown = [seenAs(name), seenAs(symbol)]
    return (
      shown.some((text) => text === '' || taken.has(text)) ||
      invitation.test(name) ||
      invitation.test(symbol)
    )
  }
}
