/**
 * Removes everything around a copied email address: a name and angle brackets, `mailto:` or another
 * word with a colon, quotes, a comment, invisible characters, and punctuation after it. Leaves
 * several addresses unchanged.
 */
export function unwrapEmail(text: string): string {
  if (text.length > 500) return text
  const plain = text.normalize('NFKC').replace(/^[\s\p{C}]+|[\s\p{C}]+$/gu, '')
  const inner = [...plain.matchAll(/<([^<>]*@[^<>]*)>/g)]
  if (inner.length > 1) return plain
  if (inner[0]) return unwrapEmail(inner[0][1] as string)
  const target = /^mailto:([^?]*)/i.exec(plain)?.[1]
  const labelled = target === undefined ? plain : decode(target)
  const address = labelled.replace(/^[^@:"]*:\s*/, '').replace(/^"([^"@]+)"@/, '$1@')
  const bare = address.replace(/\([^()]*\)\W*$/, '')
  return takeOffMarks(bare.includes('@') ? bare : address)
}

/**
 * Removes marks around an address. A domain ends with a letter or digit. The part before the @ may
 * begin with a mark, unless the same mark follows the domain.
 */
function takeOffMarks(text: string): string {
  const whole = text.replace(/^[\s\p{C}"“”„«»‘’<>()[\],;]+/u, '')
  const address = whole.replace(/[^\p{L}\p{M}\p{N}]+$/u, '')
  const first = whole.charAt(0)
  const isPaired = "'*_`".includes(first) && whole.slice(address.length).includes(first)
  return isPaired ? address.replace(/^['*_`]+/, '') : address
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
