import { LatchkeyError } from '@latchkey/wire'

/** A page's sign-in request, with the field names of the Wallet Standard. Dates are in ISO 8601. */
type SignInInput = { readonly domain: string; readonly uri: string } & {
  readonly [Name in OptionalField]?: string
} & { readonly statement?: string; readonly resources?: readonly string[] }

type OptionalField =
  | 'version'
  | 'chainId'
  | 'nonce'
  | 'issuedAt'
  | 'expirationTime'
  | 'notBefore'
  | 'requestId'

/** The fields in the order of the message, and the format of their values. */
const fields = [
  ['uri', 'URI', /^[a-z][a-z0-9+.-]*:\/\/[!-~]+$/i],
  ['version', 'Version', /^1$/],
  ['chainId', 'Chain ID', /^[-_:a-zA-Z0-9]{1,64}$/],
  ['nonce', 'Nonce', /^[a-zA-Z0-9]{8,128}$/],
  ['issuedAt', 'Issued At', date()],
  ['expirationTime', 'Expiration Time', date()],
  ['notBefore', 'Not Before', date()],
  ['requestId', 'Request ID', /^[!-~]{0,128}$/],
] as const

const maxTextLength = 2_000
const maxResources = 20

/**
 * Formats the message of Sign In With Solana (https://github.com/phantom/sign-in-with-solana),
 * exactly by its grammar. Throws INVALID_PARAMS for a field that is missing, unknown, or could end
 * its line.
 */
export function formatSignIn(input: unknown, address: string): string {
  const parsed = parseInput(input)
  const { statement, resources } = parsed
  const lines = fields.flatMap(([name, label]) =>
    parsed[name] === undefined ? [] : `${label}: ${parsed[name]}`,
  )
  return [
    `${parsed.domain} wants you to sign in with your Solana account:`,
    address,
    ...(statement === undefined ? [] : ['', statement]),
    '',
    ...lines,
    ...(resources ? ['Resources:', ...resources.map((one) => `- ${one}`)] : []),
  ].join('\n')
}

/** Parses a page's input: no value can be read as another part of the message. */
function parseInput(input: unknown): SignInInput {
  const entries = (input ?? {}) as Record<string, unknown>
  const { domain, statement, resources, ...others } = entries
  if (typeof domain !== 'string' || !/^[a-zA-Z0-9.:[\]-]{1,255}$/.test(domain))
    throw invalid('domain')
  if (statement !== undefined && !isLine(statement)) throw invalid('statement')
  if (resources !== undefined && !isResources(resources)) throw invalid('resources')
  for (const [name, value] of Object.entries(others)) {
    const pattern = fields.find(([field]) => field === name)?.[2]
    if (value !== undefined && (typeof value !== 'string' || !pattern?.test(value)))
      throw invalid(name)
  }
  if (others.uri === undefined) throw invalid('uri')
  return entries as unknown as SignInInput
}

/** Whether a string stays in its line and has no misleading characters. */
const isLine = (value: unknown) =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= maxTextLength &&
  !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)

const isResources = (value: unknown) =>
  Array.isArray(value) &&
  value.length <= maxResources &&
  value.every((one) => typeof one === 'string' && /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(one))

function date() {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
