/**
 * The raw JSON of an array's elements. `text` must have passed `JSON.parse` and be an array. Raw,
 * because numbers beyond 2^53 (request ids) would not survive being parsed.
 */
export function splitArray(text: string): string[] {
  const parts: string[] = []
  let at = skipSpace(text, text.indexOf('[') + 1)
  while (at < text.length && text[at] !== ']') {
    const end = findValueEnd(text, at)
    parts.push(text.slice(at, end))
    at = skipSeparators(text, end)
  }
  return parts
}

/**
 * The members of an object as [name, raw JSON], repeated names included. `text` must have passed
 * `JSON.parse`.
 */
export function splitObject(text: string): [name: string, raw: string][] {
  const members: [string, string][] = []
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (at < text.length && text[at] !== '}') {
    const nameEnd = findStringEnd(text, at)
    const name: string = JSON.parse(text.slice(at, nameEnd))
    const start = skipSeparators(text, nameEnd)
    const end = findValueEnd(text, start)
    members.push([name, text.slice(start, end)])
    at = skipSeparators(text, end)
  }
  return members
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

// A comma or a colon, with space around it.
function skipSeparators(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text[at] === ',' || text[at] === ':' ? skipSpace(text, at + 1) : at
}

function findValueEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return findStringEnd(text, start)
  if (first === '{' || first === '[') return findNestedEnd(text, start)
  let at = start
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !',]}'.includes(text[at] ?? ',')) at++
  return at
}

function findNestedEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = findStringEnd(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
