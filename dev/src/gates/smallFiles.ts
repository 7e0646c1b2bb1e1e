import { localImports } from './cycles.ts'

const minLines = 15

const entry =
  /^(packages|apps)\/\w+\/src\/(index|internal|coinbase|connectors|ledger|legacy|networks|query|ssr|viem|bitcoin|polkadot|siwx|solana)\.ts$/

// Small files that only one file imports, by the reason for a separate file.
const exceptions: readonly { reason: string; paths: RegExp }[] = [
  { reason: 'a process or a page begins here', paths: /^apps\/\w+\/src\/main\.tsx?$/ },
  { reason: 'an entry of its package', paths: entry },
  {
    reason: 'a migration is a file',
    paths: /^apps\/server\/src\/migrations\/(?:first\/)?\d{4}_\w+\.ts$/,
  },
  {
    reason: 'texts that load with one screen',
    paths: /^(apps\/frame|packages\/react)\/src\/locales\//,
  },
  { reason: 'a view is a file, which loads late', paths: /^packages\/react\/src\/views\/.*\.tsx$/ },
  {
    reason: 'each namespace has its file of this name',
    paths:
      /^packages\/core\/src\/namespaces\/(\w+\/)?(walletConnectMetadata|requestHandlers)\.ts$|^apps\/server\/src\/(polkadot\/address|balance\/readPolkadotHoldings)\.ts$/,
  },
]

/**
 * Product files under 15 lines that belong in another file: only one file imports them, no package
 * exports them, and they have no separate test. `sources` maps a path to its source.
 */
export function smallFileFindings(sources: ReadonlyMap<string, string>): string[] {
  const importers = countImporters(sources)
  return [...sources]
    .filter(
      ([path, text]) =>
        isProduct(path) &&
        text.split('\n').length <= minLines &&
        (importers.get(path) ?? 0) < 2 &&
        !sources.has(path.replace(/\.tsx?$/, '.test.ts')) &&
        !exceptions.some(({ paths }) => paths.test(path)),
    )
    .map(
      ([path]) => `${path}: fewer than ${minLines} lines, and only one file uses it: move it there`,
    )
}

const isProduct = (path: string) =>
  /^(packages|apps)\/\w+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path)

/** How many product files import each file. Exports of a package's entry count as used by many. */
function countImporters(sources: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [path, text] of sources) {
    if (!isProduct(path)) continue
    for (const target of new Set(localImports(path, text, sources)))
      counts.set(target, (counts.get(target) ?? 0) + (entry.test(path) ? 2 : 1))
  }
  return counts
}
