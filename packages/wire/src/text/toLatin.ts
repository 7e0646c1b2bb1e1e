/**
 * Characters of other scripts, and signs, that look like a Latin letter; each counts in both cases
 * if it has them.
 */
const lookalikesOf: Readonly<Record<string, string>> = {
  A: 'АΑᎪꓮⲀᗅᗩᴀɑΛΔДӘ∀',
  B: 'ВΒᏴꓐⲂᗷᏏᑲЬЪʙßɓƁ',
  C: 'СϹϲᏟꓚⲤᑕᴄҪϾЄƇȻ¢©⊂',
  D: 'ᎠꓓᗞᗪᗡᴅԀᏧᑯĐÐƉƊ∂',
  E: 'ЕΕᎬꓰⲈᗴᴇ℮ΞЭƐƎɘЗɆ€∑',
  F: 'ꓝᖴϜҒƑꜰ₣',
  G: 'ᏀᏳꓖԌɢɡƓǤց',
  H: 'НΗᎻꓧⲎᕼʜҺҢҤĦհ',
  I: 'ІΙӀᎥꓲⲒɪɩƖǀ׀∣|¡ІߊɨƗ',
  J: 'ЈᎫꓙᒍᴊЈյɈ',
  K: 'КΚᏦꓗⲔᴋҚҜҞҠƘ₭',
  L: 'ᏞꓡᒪʟԼլŁȽ£',
  M: 'МΜᎷꓟⲘᗰᴍӍ₥',
  N: 'ΝꓠⲚᑎɴηпПИոИƝŊ₦',
  O: 'ОΟꓳⲞᴏσՕØѲӨΘ〇○●◯ဝ०০௦൦໐၀ዐჿⵔ□¤',
  P: 'РΡᏢꓑⲢᑭᴘρÞƤ₱',
  Q: 'ԚզႭϘ',
  R: 'ᎡᏒꓣᖇʀгЯƦɌ®',
  S: 'ЅᏚꓢᔕꜱՏƧ§$',
  T: 'ТΤᎢꓔⲦᴛҬŦƬ†₮⊤',
  U: 'ՍꓴᑌᴜυμµцЦ∪Ʉ',
  V: 'ѴᏙꓦᐯᴠν∨√ʋ',
  W: 'ԜᎳᏔꓪᗯᴡωшШѡɯ₩',
  X: 'ХΧꓫⲬ᙭ҲЖ×✕✖',
  Y: 'УΥᎩᎽꓬⲨʏγҮҰ¥Ɏ',
  Z: 'ΖᏃꓜⲌᘔᴢȤƵ',
}

const latin: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikesOf).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
)

/**
 * The first of the letters A to Z in a circle, in a square, and as half of a flag, which Unicode
 * does not reduce to letters.
 */
const drawnAlphabets = [0x1f150, 0x1f170, 0x1f1e6]

/**
 * Writes a name in Latin capitals: removes marks and invisible characters, and replaces each
 * character that looks like a Latin letter. Other characters stay.
 */
export const toLatin = (text: string): string =>
  // Before normalizing, which turns some look-alikes into letters that look different.
  [
    ...[...text]
      .map(toLetter)
      .join('')
      .normalize('NFKD')
      .replace(/\p{Cf}|\p{M}/gu, ''),
  ]
    .map(toLetter)
    .join('')
    .toUpperCase()

function toLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const first = drawnAlphabets.find((start) => code >= start && code < start + 26)
  if (first !== undefined) return String.fromCharCode(65 + code - first)
  return latin.get(character) ?? latin.get(character.toUpperCase()) ?? character
}
