/** The kind of a file with sentences. Each kind has its own limits. */
type Kind = 'product' | 'docs' | 'tests'

/** How often each rule may be broken, by kind. */
export type ProseCounts = Readonly<Record<string, Readonly<Record<Kind, number>>>>

type Rule = { readonly id: string; readonly pattern: RegExp; readonly better: string }

const machines =
  '(?:server|node|browser|page|chain|contract|network|relay|token|source|device|app|frame|field|header|file|wallet|provider|pool|index|code|name|request|answer|record|screen)s?'
const speech =
  '(?:says?|said|tells?|told|knows|knew|asks|asked|wants|thinks|learns|sees|claims|means)'
const spellings =
  'e-mails?|colours?|behaviours?|(?:normal|recogn|initial|serial|organ|author|local|custom|final|optim|minim|maxim|summar|synchron|categor|sanit|token)is(?:e[ds]?|ing|ation)|enrolments?|licences?|cancell(?:ed|ing)|labell(?:ed|ing)|grey|favourites?|catalogues?'

/** The patterns of sentences that are not plain modern English. */
const rules: readonly Rule[] = [
  {
    id: 'what-docstring',
    pattern: /^\s*\/?\*\*? ?What (?!is)/,
    better: 'start with a noun: "The assets of an address", not "What an address holds"',
  },
  {
    id: 'conditional-where',
    pattern:
      /\bwhere (?:it|there|the|an?|no|nothing|nobody|one|they|this|that|none|both|its|their|each|all|only|needed|known|possible)\b/i,
    better: '"if" or "when"; "where" is for places',
  },
  {
    id: 'undefined-where',
    pattern: /\b(?:undefined|null|absent|empty|false|true|none) (?:where|as)\b/i,
    better: '"undefined if …"',
  },
  { id: 'that-of', pattern: /\b(?:that|those) of\b/i, better: 'name the thing again' },
  {
    id: 'of-ours',
    pattern: /\b(?:of|by) (?:ours|theirs|yours|(?:its|their|your|our) own)\b/i,
    better: '"our contract", "its own list"',
  },
  {
    id: 'as-for-because',
    pattern:
      /, as (?:it|they|the|an?|this|that|nothing|nobody|no|one|its|their|each|only|all|both|he|she|some)\b/i,
    better: '"because"',
  },
  {
    id: 'as-for-such-as',
    pattern: /(?<!\b(?:such|same|well)),? \bas `[^`]+`(?=[,.;) ]|$)/,
    better: '"such as `x`" or "for example `x`"',
  },
  {
    id: 'talking-machines',
    pattern: new RegExp(`\\b${machines} ${speech}\\b`, 'i'),
    better: 'returns, reports, contains, requests, expects',
  },
  {
    id: 'is-asked',
    pattern: /\b(?:is|are|was|were|be|been|being) (?:asked|told)\b/i,
    better: 'who requests, prompts or notifies',
  },
  {
    id: 'archaic',
    pattern:
      /\b(?:anew|all the same|alike|as such|beside(?! the point)|whosoever|hitherto|thereby|thus|hence|no more(?! than)|any more|betimes|lest|ere|amiss|heed)\b/i,
    better: 'again, anyway, the same, next to, in addition to, no longer',
  },
  {
    id: 'whoever',
    pattern: /\b(?:whoever|whatever|whichever)\b/i,
    better: '"anyone who", "any … that"',
  },
  {
    id: 'stranded-passive',
    pattern:
      /\b(?:is|are|was|were|be|been) (?:looked at|looked for|asked for|waited for|listened to|paid for|spoken of|thought of|held against|taken for|stood for|heard of|read from)\b/i,
    better: 'active voice',
  },
  {
    id: 'ms-that',
    pattern: /\bmilliseconds (?:that|between|until|for|after|which|it|of)\b/i,
    better: '"How long …": the name has the unit',
  },
  {
    id: 'poll-looks',
    pattern: /\b(?:looks? again|two looks|a look|looks? whether|looks? for it|looked up again)\b/i,
    better: 'polls, checks, refetches',
  },
  {
    id: 'goes-on',
    pattern: /\b(?:goes|go|went|going) on\b|\b(?:is|are|was|were) over\b/i,
    better: 'continues, has ended',
  },
  {
    id: 'one-pronoun',
    pattern: /\bones? (?:that|of|is|has|which|are|was|with|by|from|who|whose|without)\b/i,
    better: 'name the thing',
  },
  {
    id: 'nobody-somebody',
    pattern: /\b(?:no|some|every|any)body\b/i,
    better: 'no one, someone, anyone; or the actor: attacker, user, operator',
  },
  {
    id: 'text-noun',
    pattern: /\b(?:a|the|each|this|any|another|no|one) text\b|\btexts\b/i,
    better: 'string, message, label',
  },
  {
    id: 'inverted-there',
    pattern: /\bthere (?:is|are) none\b|\b(?:is|are|has|have) none\b/i,
    better: '"no …", "not available"',
  },
  {
    id: 'long-sentence',
    pattern: /(?:^|[.;:!?] )(?:[^\s.;:!?]+ ){32,}/,
    better: 'at most 30 words',
  },
  {
    id: 'spelling',
    pattern: new RegExp(`(?<![\\w/.\`'"-])(?:${spellings})(?![\\w/\`'"-])`, 'i'),
    better: 'US spelling, and "email"',
  },
  { id: 'wide-comment', pattern: /^(?!.*https?:).{101,}/, better: 'wrap comments at 100 columns' },
]

const isTest = /\.(test|spec)\.|\/test\/|^e2e\/|^bench\//
/** Files whose strings are read by people. */
const isTextFile =
  /\/locales\/|mailTexts|codeActions|walletMails|operatorMails|\/texts\.ts|errors\.ts$/
/**
 * Files with sentences that people read. Generated files, and the patterns with their tests and
 * examples, are left out.
 */
export const isProse =
  /^(?!.*\/(?:generated|data)\/)(?!dev\/src\/gates\/prose)(?!docs\/style\.md).*\.(?:ts|tsx|mjs|md|sol)$/

/**
 * The sentences of a file that break a rule, as `path:line: rule: better`, with the kind of file.
 */
export function proseFindings(path: string, source: string) {
  if (!isProse.test(path)) return []
  const kind: Kind = path.endsWith('.md') ? 'docs' : isTest.test(path) ? 'tests' : 'product'
  return sentences(path, source).flatMap(({ line, text, isComment }) =>
    rules
      .filter(({ id, pattern }) => (isComment || id !== 'wide-comment') && pattern.test(text))
      .map(({ id, better }) => ({ id, kind, message: `${path}:${line}: ${id}: ${better}` })),
  )
}

/**
 * The lines that people read: comments, Markdown outside code, strings of screens and mails, titles
 * of tests.
 */
function sentences(path: string, source: string) {
  const isMarkdown = path.endsWith('.md')
  let isInBlock = false
  let isFenced = false
  return source.split('\n').flatMap((content, index) => {
    if (isMarkdown && content.startsWith('```')) isFenced = !isFenced
    const start = content.trim()
    const isBlock = isInBlock || start.startsWith('/*')
    const trailing = /(?<![:'"`])\/\/ [A-Za-z]/.test(content)
    if (start.startsWith('/*')) isInBlock = true
    if (start.includes('*/')) isInBlock = false
    const isComment = !isMarkdown && (isBlock || start.startsWith('//') || trailing)
    const isTitle = isTest.test(path) && /^\s*(?:test|describe|it)\b.*['"`]/.test(content)
    const isString = isTextFile.test(path) && /['"`]/.test(content)
    if (!isComment && !isTitle && !isString && (!isMarkdown || isFenced)) return []
    const text =
      isComment && !isBlock && !start.startsWith('//')
        ? content.slice(content.indexOf('//'))
        : content
    return [{ line: index + 1, text, isComment: isBlock || start.startsWith('//') }]
  })
}

/** How often each rule is broken in `files`, by kind, and the findings. */
export function countProse(files: ReadonlyMap<string, string>) {
  const counts: Record<string, Record<Kind, number>> = {}
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
      const limit = stored[id]?.[kind as Kind] ?? 0
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
      const lower = (kind: Kind) => Math.min(now[kind], was[kind])
      return [id, { product: lower('product'), docs: lower('docs'), tests: lower('tests') }]
    }),
  )
}
