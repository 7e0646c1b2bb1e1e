import type * as core from 'zod/v4/core'

/**
 * Describes why a schema refuses a value: the field, the expected form and an example. `whole`
 * names the value itself, for example `body`. Not called for schemas that define a message.
 */
export function describeIssue(issue: core.$ZodRawIssue, whole: string): string {
  const path = (issue.path ?? []).join('.')
  const field = path.slice(0, fieldMaxLength) || whole
  const missing = isMissing(issue) ? ' is missing: it' : ''
  return `${field}${missing} must ${getRule(issue as core.$ZodIssue, issue.path?.at(-1))}`
}

const fieldMaxLength = 100
const keyMaxLength = 40

function isMissing({ code, input, discriminator }: core.$ZodRawIssue): boolean {
  if (code === 'invalid_union' && typeof discriminator === 'string')
    return (input as Readonly<Record<string, unknown>> | null)?.[discriminator] === undefined
  return ['invalid_type', 'invalid_value', 'invalid_union'].includes(code) && input === undefined
}

/** The rest of the sentence after "must". */
function getRule(issue: core.$ZodIssue, name: PropertyKey | undefined): string {
  switch (issue.code) {
    case 'too_small':
      return `${getSize(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}${getExample(issue.origin, name)}`
    case 'too_big':
      return `${getSize(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}${getExample(issue.origin, name)}`
    case 'unrecognized_keys':
      return `not have the field ${quote(issue.keys[0]?.slice(0, keyMaxLength))}: leave it out`
    default:
      return `be ${getKind(issue, name)}`
  }
}

function getSize(origin: string, bound: string, count: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${countOf(count, 'character')}`
  return origin === 'array' ? `have ${bound} ${countOf(count, 'entry')}` : `be ${bound} ${count}`
}

const countOf = (count: number | bigint, noun: 'character' | 'entry') =>
  `${count} ${Number(count) === 1 ? noun : noun === 'entry' ? 'entries' : 'characters'}`

function getKind(issue: core.$ZodIssue, name: PropertyKey | undefined): string {
  if (issue.code === 'invalid_type')
    return `${kinds[issue.expected] ?? 'of another kind'}${getExample(issue.expected, name)}`
  if (issue.code === 'invalid_format')
    return formats[issue.format === 'regex' ? `${issue.pattern}` : issue.format] ?? getForm(name)
  if (issue.code === 'invalid_value') return listValues(issue.values)
  if (issue.code !== 'invalid_union') return otherForm
  if ('options' in issue && issue.options) return listValues(issue.options)
  const kindsOfEach = issue.errors.flatMap(([first]) => (first ? [getKind(first, name)] : []))
  return [...new Set(kindsOfEach)].join(' or ')
}

function listValues(values: readonly unknown[]): string {
  const texts = values.map(quote)
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(', ')}`
}

function getExample(kind: string, name: PropertyKey | undefined): string {
  if (kind === 'boolean') return ''
  const own = kind === 'string' || kind === 'array' ? examples.get(String(name)) : undefined
  const example = own ?? kindExamples[kind]
  return example === undefined ? '' : `, such as ${example}`
}

const quote = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value))

/** The form of a string whose pattern has no description. */
function getForm(name: PropertyKey | undefined): string {
  const example = examples.get(String(name))
  return example === undefined ? otherForm : `a string such as ${example}`
}

const otherForm = 'in another form: see the documentation of this route'

/** The description of random bytes in base64url with this number of characters. */
const random = (characters: number) =>
  `${characters} characters of base64url, such as "${'AbCd-1_2'.repeat(6).slice(0, characters)}"`

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
  null: 'null',
}

const kindExamples: Readonly<Record<string, string>> = {
  string: '"abc"',
  number: '1',
  int: '1',
  array: '["abc"]',
  object: '{"name": "abc"}',
  record: '{"name": "abc"}',
}

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** Examples by field name. The name may be any string that the client sends. */
const examples = new Map(
  Object.entries({
    action: '"delete"',
    address: `"eip155:1:${address}"`,
    addresses: `["eip155:1:${address}"]`,
    amount: '"1000000"',
    blockchains: '["ethereum"]',
    chainId: '"eip155:1"',
    currency: '"usd"',
    code: '"123456"',
    destinationWallets: `[{"address": "${address}"}]`,
    email: '"ada@example.com"',
    from: `"eip155:1:${address}"`,
    id: '"usd"',
    keys: `[{"type": "secp256k1", "publicKey": "0x02…"}]`,
    network: '"ethereum"',
    origin: '"https://app.example"',
    permissions: '[{"type": "native-token-recurring-allowance", "data": {…}}]',
    policies: '[]',
    projectId: '"shop"',
    signature: '"0x…"',
    symbol: '"ETH"',
    to: `"eip155:1:${address}"`,
    tokenAddress: `"eip155:1:${address}"`,
    userAddress: `"eip155:1:${address}"`,
  }),
)

/** Descriptions of string formats, by the name of the format or by its pattern. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID, such as "1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11"',
  '/^\\d{1,78}$/': 'a whole number, such as "1000000"',
  '/^[0-9a-f-]{36}$/': 'the id of a session, such as "1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11"',
  '/^0x([0-9a-fA-F]{2})*$/': 'bytes in hex, such as "0x1234"',
  '/^0x[0-9a-fA-F]{40}$/': `an address, such as "${address}"`,
  '/^0x[0-9a-fA-F]{1,14}$/': 'the number of a network in hex, such as "0x1"',
  '/^0x[0-9a-fA-F]{1,64}$/': 'a number in hex, such as "0x10"',
  '/^0x([0-9a-f]{2})*$/i': 'bytes in hex, such as "0x1234"',
  '/^0x[0-9a-f]{40}$/i': `an address, such as "${address}"`,
  '/^0x[0-9a-f]{1,64}$/': 'a number in lower-case hex, such as "0x10"',
  '/^0x[0-9a-f]{1,64}$/i': 'a number in hex, such as "0x10"',
  '/^0x[0-9a-f]{130}$/': 'a signature of 65 bytes in lower-case hex, such as "0x…" with 130 digits',
  '/^0x([0-9a-f]{8}|[0-9a-f]{64})$/':
    'the selector of a function or the hash of a type in lower-case hex, such as "0xa9059cbb"',
  '/^[0-9a-f]{32}$/': 'an id of 32 hex digits, such as "0123456789abcdef0123456789abcdef"',
  '/^[0-9]{6}$/': 'six digits, such as "123456"',
  '/^[0-9]{2}$/': 'two digits, such as "42"',
  '/^20\\d\\d$/': 'a year, such as "2025"',
  '/^[A-Za-z0-9_-]{22}$/': random(22),
  '/^[A-Za-z0-9_-]{43}$/': random(43),
  '/^[A-Za-z0-9_-]*$/': 'bytes in base64url, such as "AbCd-1_2"',
  '/^[\\w-]+$/': 'bytes in base64url, such as "AbCd-1_2"',
  '/^[\\w-]{24}$/': random(24),
  '/^eip155:[0-9]{1,32}$/': 'an EVM network, such as "eip155:1"',
  '/^eip155:[1-9][0-9]{0,15}$/': 'an EVM network, such as "eip155:1"',
  '/^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}$/': 'a network, such as "eip155:1"',
  '/^eip155:[1-9]\\d{0,15}:0x[0-9a-fA-F]{40}$/': `an EVM account, such as "eip155:1:${address}"`,
  '/^main(-[1-9][0-9]{0,14})?$/': 'the realm of a wallet, such as "main"',
  '/^[1-9A-HJ-NP-Za-km-z]{32,44}$/':
    'a Solana address, such as "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv"',
  '/^[0-9A-Za-z]{0,128}$/': 'the id of a transaction, such as "0x1234"',
  '/^[a-z-]{1,40}$/': 'the name of a directive, such as "script-src"',
  datetime: 'a time in ISO 8601, such as "2030-01-31T12:00:00Z"',
  '/^0x[0-9a-fA-F]{66}([0-9a-fA-F]{64})?$/':
    'a public key of 33 or 65 bytes in hex, such as "0x02…" with 66 digits',
}
