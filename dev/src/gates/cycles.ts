import { dirname, join } from 'node:path'

/**
 * The import cycles among a workspace's files. Imports of types and lazy imports count: no file of
 * a cycle can be read without the others. `files` maps a path to its text. Returns each group of
 * files that import each other, sorted.
 */
export function importCycles(files: ReadonlyMap<string, string>): string[][] {
  const imports = new Map([...files].map(([path, text]) => [path, localImports(path, text, files)]))
  return findGroups(imports)
    .filter((group) => group.length > 1 || imports.get(group[0] ?? '')?.includes(group[0] ?? ''))
    .map((group) => group.sort())
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
}

const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"](\.{1,2}\/[^'"]+)['"]/g

/** The files that a file imports by relative paths, for types or lazily too. */
export function localImports(
  path: string,
  text: string,
  files: ReadonlyMap<string, string>,
): string[] {
  return [...text.matchAll(specifier)]
    .map(([, to = '']) => join(dirname(path), to))
    .filter((to) => files.has(to))
}

/** Strongly connected components (Tarjan 1972). */
function findGroups(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []
  const visit = (path: string) => {
    const index = indexes.size
    indexes.set(path, index)
    lowest.set(path, index)
    stack.push(path)
    for (const to of imports.get(path) ?? []) {
      if (!indexes.has(to)) visit(to)
      // Only modules that are still on the stack can lead back here.
      if (stack.includes(to))
        lowest.set(path, Math.min(lowest.get(path) ?? index, lowest.get(to) ?? index))
    }
    if (lowest.get(path) === index) groups.push(stack.splice(stack.indexOf(path)))
  }
  for (const path of imports.keys()) if (!indexes.has(path)) visit(path)
  return groups
}
