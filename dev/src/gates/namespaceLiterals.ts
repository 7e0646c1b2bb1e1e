/**
 * Files that may name a namespace or contain facts about a single namespace, each with its reason.
 */
const allowed: Readonly<Record<string, string>> = {
  'packages/core/src/namespaces/namespaceMetadata.ts': 'registers the namespaces',
  'packages/core/src/namespaces/walletWatchers.ts': 'registers what finds their wallets',
  'packages/core/src/namespaces/walletConnectMetadata.ts': 'registers what their sessions ask for',
  'packages/core/src/networks.ts': 'the table of preconfigured networks, which are data',
  'packages/core/src/connectors.ts': 'exports what an app chooses to reach EVM wallets by',
  'packages/core/src/index.ts': "exports the EVM's own functions and the networks",
  'packages/core/src/internal.ts': "exports a function of the EVM's for `@latchkey/react`",
}

const within = /^packages\/(core|react)\/src\//
const rooms = /^packages\/core\/src\/namespaces\/(eip155|solana|polkadot|bip122)\//

const literals: readonly { what: string; pattern: RegExp }[] = [
  { what: 'a namespace by name', pattern: /\beip155\b|\bbip122\b|['"`/^](solana|polkadot)\b/ },
  { what: "a method of a chain's protocol", pattern: /\b(eth|wallet|personal|solana)_[a-z]/ },
  { what: 'hex with 0x', pattern: /0x/i },
  { what: 'a pattern of hex digits', pattern: /\[[^\]]*(a-f|A-F)[^\]]*\](\{|\+|\*)/ },
  { what: 'a number written in hex', pattern: /\.toString\(16\)/ },
  { what: "the EVM's injected provider", pattern: /\bethereum\b/ },
  {
    what: "a unit of the EVM's currency",
    pattern: /['"`]g?wei['"`]|\b(parse|format)(Ether|Gwei)\b/i,
  },
  { what: "the EVM's 18 decimals", pattern: /decimals['"]?: 18\b|10n? \*\* 18n?\b|\b1e18\b/ },
]

/**
 * Finds code about one namespace in a source file of core or react, which belongs in
 * `namespaces/<name>`: literals in code, strings, templates and regular expressions. Comments and
 * hexadecimal numbers do not count.
 */
export function namespaceFindings(path: string, text: string): string[] {
  const isChecked = within.test(path) && !rooms.test(path) && !/\.test\.tsx?$/.test(path)
  if (!isChecked || !/\.tsx?$/.test(path) || Object.hasOwn(allowed, path)) return []
  const lines = withoutComments(text).split('\n')
  return literals.flatMap(({ what, pattern }) => {
    const line = lines.findIndex((content) => pattern.test(withoutNumbers(content)))
    return line < 0
      ? []
      : [`${path}:${line + 1}: ${what} belongs into packages/core/src/namespaces`]
  })
}

/** Exceptions that no file needs; `paths` are all files. */
export const staleExceptions = (paths: readonly string[]): string[] =>
  Object.keys(allowed)
    .filter((path) => !paths.includes(path))
    .map((path) => `${path}: the exception for it is not needed`)

/**
 * The source with blanks in place of comments, so that lines keep their numbers. A `//` after a
 * colon is part of a URL.
 */
const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[\s;{}])\/\/.*$/gm, '$1')

// Biome writes a number after a space, a bracket or a sign, so a quote, a `^` or a `/` before it
// means a string or a pattern.
const withoutNumbers = (line: string): string =>
  line.replace(/(?<=[\s([-])0x[\da-f_]+n?\b(?![{[])/gi, '0')
