import { dirname, join } from 'node:path'

/**
 * The paths in a document that match no file or folder, and the paths that match several files. A
 * path may leave out `packages/`, `apps/`, `src/`, the extension and its first parts; `*` and
 * `<area>` stand for any name. If several files match, the file next to the document is meant. The
 * results of builds are not checked.
 */
export function pathFindings(path: string, text: string, files: readonly string[]): string[] {
  const names = files.map(shorten)
  const folders = new Set([...files, ...names].flatMap(getFolders))
  return [...new Set(getPaths(text))].flatMap((named) => {
    const folder = named.replace(/\/$/, '')
    if (folders.has(folder) || /\/dist$/.test(folder)) return []
    const ending = toPattern(shorten(folder))
    if ([...folders].some((each) => ending.test(each))) return []
    const found = [...new Set(names.filter((name) => ending.test(name)))]
    if (found.length === 0) return [`${path}: \`${named}\` does not exist`]
    if (found.length === 1 || /[*<]/.test(named)) return []
    if (path.includes('/') && found.includes(shorten(join(dirname(path), 'src', named)))) return []
    return [`${path}: \`${named}\` may be any of ${found.join(' ')}`]
  })
}

/**
 * The rows of a document's tables without a test in their last cell: a path that ends with `.test`
 * or `.spec`, or `None:` and the reason.
 */
export const untestedRows = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => {
    const cells = line.match(/^\| (.*) \|$/)?.[1]?.split(' | ') ?? []
    const [first = '', , test = ''] = cells
    const isRow = cells.length > 0 && !first.startsWith('---') && cells.at(-1) !== 'Test'
    const isTested = /`[^`]+\.(test|spec)`/.test(test) || /^None: \S/.test(test)
    return isRow && !(cells.length === 3 && isTested)
      ? [`${path}:${index + 1}: the row "${first.slice(0, 60)}" names no test`]
      : []
  })

/** Strings in code quotes with a slash that is not the first character, unlike in URL paths. */
const getPaths = (text: string): string[] =>
  [...text.matchAll(/`([\w.*<][\w.*<>-]*\/[\w.*<>/-]*)`/g)].map(([, named = '']) => named)

const shorten = (path: string): string =>
  path
    .replace(/^(packages|apps)\//, '')
    .replace('/src/', '/')
    .replace(/\.(tsx?|m?js|css)$/, '')

const getFolders = (path: string): string[] => {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

const toPattern = (named: string): RegExp => {
  const escaped = named.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(^|/)${escaped.replace(/\*|<\w+>/g, '[^/]*')}$`)
}
