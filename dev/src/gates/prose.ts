import { getKind, type ProseKind, readProse, readSentences } from './proseLines.ts'
import { proseRules } from './proseRules.ts'

/** How often each rule may be broken, by kind. */
export type ProseCounts = Readonly<Record<string, Readonly<Record<ProseKind, number>>>>

const maxWords = 30
const maxColumns = 100
const rules: readonly { readonly id: string; readonly better: string }[] = [
  ...proseRules,
  { id: 'long-sentence', better: `at most ${maxWords} words` },
  { id: 'wide-comment', better: `wrap comments at ${maxColumns} columns` },
]

/**
 * Files with sentences that people read. Generated files, and the patterns with their tests and
 * examples, are left out.
 */
export const isProse =
  /^(?!.*\/(?:generated|data)\/)(?!dev\/src\/gates\/prose)(?!docs\/style\.md).*\.(?:ts|tsx|mjs|md|sol|html)$/

/**
 * The sentences of a file that break a rule, as `path:line: rule: better`, with the kind of file.
 */
export function proseFindings(path: string, source: string) {
  if (!isProse.test(path)) return []
  const lines = readProse(path, source)
  const kind = getKind(path)
  const broken = [
    ...lines.flatMap(({ line, text, width = 0 }) => {
      const isWide = width > maxColumns && !/https?:/.test(text)
      const ids = proseRules.filter(({ pattern }) => pattern.test(text)).map(({ id }) => id)
      return [...ids, ...(isWide ? ['wide-comment'] : [])].map((id) => ({ line, id }))
    }),
    ...readSentences(lines)
      .filter(({ words }) => words > maxWords)
      .map(({ line }) => ({ line, id: 'long-sentence' })),
  ]
  return broken.map(({ line, id }) => {
    const better = rules.find((rule) => rule.id === id)?.better
    return { id, kind, message: `${path}:${line}: ${id}: ${better}` }
  })
}

/** How often each rule is broken in `files`, by kind, and the findings. */
export function countProse(files: ReadonlyMap<string, string>) {
  const counts: Record<string, Record<ProseKind, number>> = {}
  for (const { id } of rules) counts[id] = { product: 0, docs: 0, tests: 0 }
  const findings = [...files].flatMap(([path, source]) => proseFindings(path, source))
  for (const { id, kind } of findings) {
    const count = counts[id]
    if (count) count[kind] += 1
  }
  return { counts: counts satisfies ProseCounts, findings }
}

/** The findings of each rule and kind that is broken more often than `stored` allows. */
export function newProse(files: ReadonlyMap<string, string>, stored: ProseCounts): string[] {
  const { counts, findings } = countProse(files)
  return Object.entries(counts).flatMap(([id, byKind]) =>
    Object.entries(byKind).flatMap(([kind, count]) => {
      const limit = stored[id]?.[kind as ProseKind] ?? 0
      if (count <= limit) return []
      const all = findings.filter((finding) => finding.id === id && finding.kind === kind)
      return [
        `${id} in ${kind}: ${count} lines, and at most ${limit} are allowed. Write the new ones in plain English (docs/style.md)`,
        ...(limit > 20 ? [] : all.map(({ message }) => message)),
      ]
    }),
  )
}

/** The lower of both counts, so that a rewritten sentence stays rewritten. */
export function lowerCounts(files: ReadonlyMap<string, string>, stored: ProseCounts): ProseCounts {
  const { counts } = countProse(files)
  return Object.fromEntries(
    Object.entries(counts).map(([id, now]) => {
      const was = stored[id] ?? now
      const lower = (kind: ProseKind) => Math.min(now[kind], was[kind])
      return [id, { product: lower('product'), docs: lower('docs'), tests: lower('tests') }]
    }),
  )
}
