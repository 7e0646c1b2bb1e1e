/** The maximum nesting of lists and objects in untrusted JSON. */
export const jsonMaxDepth = 64

/**
 * Whether JSON has more than {@link jsonMaxDepth} levels. Scans the characters without recursion,
 * so that no parser runs out of stack.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = findStringEnd(text, at)
    else if (character === '[' || character === '{') {
      if (++depth > jsonMaxDepth) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/**
 * Parses untrusted JSON. Throws a SyntaxError if it is not JSON or has more than {@link
 * jsonMaxDepth} levels.
 */
export function parseBoundedJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('The JSON has too many levels')
  return JSON.parse(text)
}
