import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Documents for app developers, who cannot use what only `@latchkey/core/internal` exports. */
export const isForApps =
  /^(?:README|examples\/README|docs\/(?:analytics|bitcoin|buy|clear-signing|data|email-login|errors|names|polkadot|sign-in|smart-account|smart-sessions|social-login|solana|swap|wallets))\.md$/

/** Returns the names that an entry such as `@latchkey/react/viem` exports, undefined if unknown. */
export type ReadExports = (entry: string) => ReadonlySet<string> | undefined

const call = '`\\w+(?:\\([^`]*\\))?`'
const list = `((?:${call}(?:, and |, | and | or ))*${call})`
const entry = '`(@latchkey/[\\w/-]+)`'
const before = new RegExp(
  `${list} (?:of|in|(?:are |is )?exported by|comes? from|from) ${entry}`,
  'g',
)
const after = new RegExp(`${entry} exports (?:the )?(?:\\w+, )?${list}`, 'g')

/**
 * Names in a document that are described as part of an entry that does not export them, hooks that
 * no entry exports, and functions that only `@latchkey/core/internal` exports.
 */
export function nameFindings(path: string, source: string, readExports: ReadExports): string[] {
  const { prose, code } = split(source)
  const named = [
    ...[...prose.matchAll(before)].map(([, names = '', from = '']) => ({ names, from })),
    ...[...prose.matchAll(after)].map(([, from = '', names = '']) => ({ names, from })),
    ...[...code.matchAll(/import \{([^}]*)\} from '(@latchkey\/[\w/-]+)'/g)].map(
      ([, names = '', from = '']) => ({ names: names.replace(/\b(?:type|as \w+)\b/g, ''), from }),
    ),
  ].flatMap(({ names, from }) => toNames(names).map((name) => ({ name, from })))
  const missing = named
    .filter(({ name, from }) => readExports(from)?.has(name) === false)
    .map(({ name, from }) => `${path}: \`${from}\` does not export \`${name}\``)
  const entries = ['@latchkey/core', '@latchkey/react', '@latchkey/react/viem']
  const isPublic = (name: string) => entries.some((each) => readExports(each)?.has(name))
  const internal = readExports('@latchkey/core/internal')
  const unreachable = toNames([...prose.matchAll(new RegExp(call, 'g'))].join(' '))
    .filter((name) => /^use[A-Z]/.test(name) || (internal?.has(name) && /^[a-z]+[A-Z]/.test(name)))
    .filter((name) => !isPublic(name))
    .map((name) => `${path}: no public entry exports \`${name}\``)
  return [...new Set([...missing, ...unreachable])]
}

/** Reads the exports of the packages in `root` from their manifests and entries. */
export function createReadExports(root: string): ReadExports {
  const find = (specifier: string) => {
    const [, name = '', rest = ''] = /^@latchkey\/(\w+)(.*)$/.exec(specifier) ?? []
    const folder = join(root, 'packages', name)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = exports[`.${rest}`]
    return typeof file === 'string' ? join(folder, file) : undefined
  }
  const read = (file: string): Set<string> => {
    const source = readFileSync(file, 'utf8')
    const stars = [...source.matchAll(/export \* from '([^']+)'/g)].flatMap(([, target = '']) => {
      const found = target.startsWith('.') ? join(dirname(file), target) : find(target)
      return found ? [...read(found)] : []
    })
    return new Set([...stars, ...namesIn(source)])
  }
  const cache = new Map<string, Set<string> | undefined>()
  return (specifier) => {
    const file = cache.has(specifier) ? undefined : find(specifier)
    if (file) cache.set(specifier, read(file))
    return cache.get(specifier)
  }
}

/** The names that a source exports itself, under the names that importers use. */
const namesIn = (source: string): string[] => [
  ...[...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(/\s+/).at(-1) ?? ''),
  ),
  ...[...source.matchAll(/^export (?:async )?(?:const|function|class|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  ),
]

const toNames = (names: string): string[] =>
  [
    ...new Set([...names.replace(/\([^`]*\)/g, '').matchAll(/[\w$]+/g)].map(([name]) => name)),
  ].filter((name) => name !== 'and' && name !== 'or')

/** Separates the fenced code of a document from the rest, whose lines are joined. */
function split(source: string) {
  const parts = source.split(/^```.*$/m)
  const pick = (rest: number) => parts.filter((_, index) => index % 2 === rest).join('\n\n')
  return { prose: pick(0).replace(/(?<!\n)\n(?!\n)/g, ' '), code: pick(1) }
}
