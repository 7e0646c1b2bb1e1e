import type { AuthPayload, Cacao } from '../client.ts'
import type { SessionNamespaces } from '../rpc/shapes.ts'
import { getAccountChain } from '../session/namespaces.ts'
import { formatRecap, parseRecap, type Recap, withRecapStatement } from './recap.ts'

const issuer = 'did:pkh:'

/** The CAIP-10 account that signed; undefined if it is not on an EVM chain. */
export function getIssuerAccount({ iss }: { iss: string }): string | undefined {
  return /^did:pkh:eip155:\d{1,20}:0x[0-9a-fA-F]{40}$/.test(iss)
    ? iss.slice(issuer.length)
    : undefined
}

/**
 * The request as one account (CAIP-10) signs it, with a ReCap that has only the allowed chains and
 * methods.
 */
export function getPayload(
  { chains: askedChains, type: _, ...payload }: AuthPayload,
  {
    account,
    chains,
    methods,
  }: { account: string; chains: readonly string[]; methods: readonly string[] },
): Cacao['p'] {
  const iss = `${issuer}${account}`
  const recap = parseRecap(payload.resources)
  if (recap === undefined) return { ...payload, iss }
  const allowed = formatAllowed({
    methods: recap.methods.filter((method) => methods.includes(method)),
    chains: askedChains.filter((chain) => chains.includes(chain)),
  })
  return { ...payload, iss, resources: [...(payload.resources ?? []).slice(0, -1), ...allowed] }
}

const formatAllowed = (recap: Recap) =>
  recap.methods.length > 0 && recap.chains.length > 0 ? [formatRecap(recap)] : []

/** The message to sign (EIP-4361). */
export function formatMessage(payload: Cacao['p']): string {
  const [, , , reference = '', address = ''] = payload.iss.split(':')
  const { domain, aud, version, nonce, iat, exp, nbf, requestId, resources } = payload
  const line = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value}`]
  const statement = withRecapStatement(payload.statement, resources)
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...line('URI', aud),
    ...line('Version', version),
    ...line('Chain ID', reference),
    ...line('Nonce', nonce),
    ...line('Issued At', iat),
    ...line('Expiration Time', exp),
    ...line('Not Before', nbf),
    ...line('Request ID', requestId),
    ...(resources && resources.length > 0
      ? ['Resources:', ...resources.map((resource) => `- ${resource}`)]
      : []),
  ].join('\n')
}

/**
 * Whether a signed object matches the request: its account, its app, its nonce, no further rights,
 * and its time.
 */
export function isAsRequested({ p }: Cacao, payload: AuthPayload, nowMs: number): boolean {
  const account = getIssuerAccount(p)
  const same = ['domain', 'aud', 'nonce', 'version', 'requestId', 'nbf', 'exp', 'iat'] as const
  if (account === undefined || same.some((key) => p[key] !== payload[key])) return false
  if (!payload.chains.includes(getAccountChain(account))) return false
  if (!isWithin(p.resources, payload) || !hasStatement(p, payload)) return false
  return (p.exp === undefined || Date.parse(p.exp) > nowMs) && !(Date.parse(p.nbf ?? '') > nowMs)
}

const toPlain = (resources: readonly string[] = []) =>
  parseRecap(resources) ? resources.slice(0, -1) : resources

function isWithin(resources: readonly string[] | undefined, payload: AuthPayload): boolean {
  const [allowed, wanted] = [parseRecap(resources), parseRecap(payload.resources)]
  if (toPlain(resources).join('\n') !== toPlain(payload.resources).join('\n')) return false
  if (allowed === undefined) return true
  return (
    allowed.methods.every((method) => wanted?.methods.includes(method)) &&
    allowed.chains.every((chain) => payload.chains.includes(chain))
  )
}

// Some wallets write the ReCap's sentence into the statement.
const hasStatement = (p: Cacao['p'], payload: AuthPayload) =>
  p.statement === payload.statement ||
  p.statement === withRecapStatement(payload.statement, p.resources) ||
  p.statement === withRecapStatement(payload.statement, payload.resources)

/** The events of a session that a sign-in opens. */
const events = ['chainChanged', 'accountsChanged']

/** The namespaces of the session that signed objects open; none if they allow no method. */
export function toSessionNamespaces(cacaos: readonly Cacao[]): SessionNamespaces | undefined {
  const accounts = new Set<string>()
  const methods = new Set<string>()
  for (const { p } of cacaos) {
    const account = getIssuerAccount(p)
    const recap = parseRecap(p.resources)
    if (account === undefined || recap === undefined) continue
    const own = getAccountChain(account)
    const address = account.slice(own.length)
    for (const chain of recap.chains.length > 0 ? recap.chains : [own])
      accounts.add(`${chain}${address}`)
    for (const method of recap.methods) methods.add(method)
  }
  if (methods.size === 0) return undefined
  const chains = [...new Set([...accounts].map(getAccountChain))]
  return { eip155: { chains, accounts: [...accounts], methods: [...methods], events } }
}
