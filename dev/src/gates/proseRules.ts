/** A pattern that plain English does not contain, and what to write instead. */
export type ProseRule = { readonly id: string; readonly pattern: RegExp; readonly better: string }

const machines =
  '(?:server|node|browser|page|chain|contract|network|relay|token|source|device|app|frame|field|header|file|wallet|provider|pool|index|code|name|request|answer|record|screen)s?'
const speech =
  '(?:says?|said|tells?|told|knows|knew|asks|asked|wants|thinks|learns|sees|claims|means)'
const spellings =
  'e-mails?|colours?|behaviours?|(?:normal|recogn|initial|serial|organ|author|local|custom|final|optim|minim|maxim|summar|synchron|categor|sanit|token)is(?:e[ds]?|ing|ation)|enrolments?|licences?|cancell(?:ed|ing)|labell(?:ed|ing)|grey|favourites?|catalogues?'

/** The patterns of lines that are not plain modern English. */
export const proseRules: readonly ProseRule[] = [
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
    pattern:
      /(?<!Latchkey )\bones? (?:that|of|is|has|which|are|was|with|by|from|who|whose|without)\b/i,
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
    id: 'spelling',
    pattern: new RegExp(`(?<![\\w/.\`'"-])(?:${spellings})(?![\\w/\`'"-])`, 'i'),
    better: 'US spelling, and "email"',
  },
]
