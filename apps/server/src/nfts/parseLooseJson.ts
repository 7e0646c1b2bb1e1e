/**
 * Reads JSON as contracts put it together: also with line ends and tabs inside texts, commas too many, comments, names without quotes or in single ones,
 * and JSON inside a JSON text. Undefined if it is not JSON even so.
 */
export function parseLooseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  const value = parse(json) ?? parse(repair(json))
  return typeof value === 'string' ? parse(value) : value
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

// Each form reaches to the end of the text if its own end is missing, so that nothing is searched twice.
const token =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|'[^'\\]*(?:\\[\s\S][^'\\]*)*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\],:]|[^\s"'{}[\],:/]+|\//g

/** The same tokens as JSON writes them, without comments, and without commas that separate nothing. */
function repair(text: string): string {
  const tokens = (text.match(token) ?? [])
    .filter((one) => !/^\/[/*]/.test(one))
    .map((one) => (/^["']/.test(one) ? toJsonText(one) : toJsonWord(one)))
  return tokens
    .filter((one, index) => one !== ',' || !/^(?:[}\],]|)$/.test(tokens[index + 1] ?? ''))
    .join('')
}

function toJsonText(quoted: string): string {
  const inner = quoted.slice(1, quoted.length > 1 && quoted.at(-1) === quoted[0] ? -1 : undefined)
  const written = inner.replace(
    /\\(u[0-9a-f]{4}|[\s\S])|[^ -\uffff]|"/gi,
    (all: string, escaped: string | undefined) =>
      escaped !== undefined && /^(?:u[0-9a-fA-F]{4}|["\\/bfnrt])$/.test(escaped)
        ? all
        : JSON.stringify(escaped ?? all).slice(1, -1),
  )
  return `"${written}"`
}

/** A name without quotes gets them; marks, numbers and words of JSON stay. */
const toJsonWord = (word: string) =>
  /^(?:[{}[\],:]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(word)
    ? word
    : JSON.stringify(word)
