/**
 * Reads JSON as contracts write it: with line ends and tabs in strings, extra commas, comments,
 * keys in single quotes or without quotes, and JSON inside a JSON string. Undefined for anything
 * else.
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

// A token without an end matches the rest of the input, so that no part is scanned twice.
const token =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|'[^'\\]*(?:\\[\s\S][^'\\]*)*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\],:]|[^\s"'{}[\],:/]+|\//g

/** The same tokens in JSON syntax, without comments and superfluous commas. */
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

/** Quotes a name without quotes; punctuation, numbers and JSON keywords stay. */
const toJsonWord = (word: string) =>
  /^(?:[{}[\],:]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(word)
    ? word
    : JSON.stringify(word)
