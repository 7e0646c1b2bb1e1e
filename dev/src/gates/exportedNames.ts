/** The most exported names that may come from more than one file, in percent of all. */
const maxPercent = 3

const isProduct = /^(?:packages|apps)\/[^/]+\/src\/(?!.*\.test\.tsx?$).*\.tsx?$/
const declaration =
  /^export (?:async )?(?:const|let|function\*?|class|type|interface|enum) ([A-Za-z0-9_$]+)/gm

/**
 * Names that more than one file of the product exports, if these are 3% or more of all. A reader,
 * and an editor that imports by name, cannot tell such names apart.
 */
export function repeatedNameFindings(texts: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, string[]>()
  for (const [path, text] of texts)
    if (isProduct.test(path))
      for (const name of new Set([...text.matchAll(declaration)].map(([, name]) => name ?? '')))
        files.set(name, [...(files.get(name) ?? []), path])
  const repeated = [...files].filter(([, paths]) => paths.length > 1)
  if (repeated.length * 100 < files.size * maxPercent) return []
  const share = `${repeated.length} of ${files.size} exported names come from several files`
  return [
    `${share}: name these differently, so that they are less than ${maxPercent}%`,
    ...repeated.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
  ]
}
