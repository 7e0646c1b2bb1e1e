import { cleanText, parseBoundedJson, type SocialProvider } from '@latchkey/wire'
import { importPKCS8, SignJWT } from 'jose'
import * as oauth from 'openid-client'
import * as z from 'zod'
import { badInput } from '../../http/request/badInput.ts'
import type { Auth } from '../auth.ts'
import { isOauth, type ProviderFacts, providers } from './providers.ts'
import type { SocialCredentials } from './socialsFile.ts'

const timeoutSeconds = 10
const appleSecretSeconds = 300
const nameMaxLength = 80

/** The values that bind one authorization request to its response. */
export type Binding = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}
/** Who signed in: an issuer and its subject, and a name for the user to recognize. */
export type ForeignUser = {
  readonly issuer: string
  readonly subject: string
  readonly name: string
}

/** An OAuth provider with the operator's credentials. Throws `INVALID_PARAMS` without them. */
export function findProvider({ config }: Pick<Auth, 'config'>, provider: SocialProvider) {
  const credentials = config.socials.get(provider)
  if (credentials === undefined || 'rpcUrl' in credentials || !isOauth(provider))
    throw badInput('provider', 'provider must be one that this server has, such as "google"')
  const { issuer, authorizationUrl, tokenUrl, jwksUrl, userUrl } = credentials
  const chosen = { issuer, authorizationUrl, tokenUrl, jwksUrl, userUrl }
  const given = Object.entries(chosen).filter(([, url]) => url !== undefined)
  const facts: ProviderFacts = { ...providers[provider], ...Object.fromEntries(given) }
  return {
    id: provider,
    facts,
    credentials,
    redirectUri: `${config.frame.url}/oauth/callback/${provider}`,
  }
}
export type Provider = ReturnType<typeof findProvider>

/** The URL of the provider's sign-in page (RFC 6749, 4.1.1; RFC 7636 with S256). */
export async function buildSignInUrl(
  provider: Provider,
  { binding, askAgain }: { readonly binding: Binding; readonly askAgain: boolean },
): Promise<URL> {
  const { facts, redirectUri } = provider
  return oauth.buildAuthorizationUrl(configure(provider), {
    redirect_uri: redirectUri,
    scope: facts.scope,
    state: binding.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(binding.verifier),
    code_challenge_method: 'S256',
    ...(facts.kind === 'oidc' && { nonce: binding.nonce }),
    ...(facts.formPost && { response_mode: 'form_post' }),
    ...(askAgain && facts.askAgain),
  })
}

/**
 * Exchanges the code of a response for the user (server to server), and checks state, `iss` (RFC
 * 9207), PKCE, and of an ID token signature, issuer, audience, time and nonce. Throws an error that
 * describes the first failed check.
 */
export async function readForeignUser(
  provider: Provider,
  { answer, binding }: { readonly answer: URLSearchParams; readonly binding: Binding },
): Promise<ForeignUser> {
  const { facts, redirectUri } = provider
  const config = configure(provider)
  const isOidc = facts.kind === 'oidc'
  const tokens = await oauth.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
    pkceCodeVerifier: binding.verifier,
    expectedState: binding.state,
    ...(isOidc && { expectedNonce: binding.nonce, idTokenExpected: true }),
  })
  if (isOidc) {
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    const name = typeof claims.name === 'string' ? claims.name : getPostedName(answer)
    return { issuer: claims.iss, subject: readSubject(claims.sub), name: clean(name) }
  }
  const { user, userUrl = '', issuer } = facts
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Latchkey' })
  const response = await oauth.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL(userUrl),
    'GET',
    undefined,
    headers,
  )
  if (!response.ok || !user) throw new Error(`the user's API answered ${response.status}`)
  const body = record.parse(await response.json())
  const found = user.within === undefined ? body : record.parse(body[user.within])
  const subject = readSubject(found[user.id])
  const name = user.names.map((key) => found[key]).find((value) => typeof value === 'string')
  return { issuer, subject, name: clean(String(name ?? '')) }
}

const record = z.record(z.string(), z.unknown())
/**
 * An immutable id of a user: a number, or text of at least one visible character (OpenID Connect
 * Core, 2: at most 255).
 */
const subjectSchema = z.union([
  z.int().positive(),
  z
    .string()
    .max(255)
    .regex(/^[!-~]+$/),
])
/** Throws if a provider's user id could belong to several users, for example an empty id. */
const readSubject = (value: unknown): string => String(subjectSchema.parse(value))
const clean = (text: string) => cleanText(text, { maxLength: nameMaxLength }) ?? ''

const appleUser = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
})

/** Apple sends the name together with the code, once, and unsigned: it is for display alone. */
function getPostedName(answer: URLSearchParams): string {
  try {
    const { name } = appleUser.parse(parseBoundedJson(answer.get('user') ?? ''))
    return [name.firstName, name.lastName].filter(Boolean).join(' ')
  } catch {
    return ''
  }
}

const configurations = new WeakMap<SocialCredentials, oauth.Configuration>()

/** One for each provider, so that its signing keys are not fetched at each login. */
function configure({ facts, credentials }: Provider): oauth.Configuration {
  const known = configurations.get(credentials)
  if (known) return known
  const server = {
    issuer: facts.issuer,
    authorization_endpoint: facts.authorizationUrl,
    token_endpoint: facts.tokenUrl,
    ...(facts.jwksUrl !== undefined && { jwks_uri: facts.jwksUrl }),
  }
  const client = { id_token_signed_response_alg: 'RS256' }
  const { clientId } = credentials
  const config = new oauth.Configuration(server, clientId, client, authenticate(facts, credentials))
  config.timeout = timeoutSeconds
  // Signatures are verified although the token came over TLS.
  if (facts.kind === 'oidc') oauth.enableNonRepudiationChecks(config)
  // The configuration allows http on this machine alone.
  if (facts.tokenUrl.startsWith('http:')) oauth.allowInsecureRequests(config)
  configurations.set(credentials, config)
  return config
}

function authenticate(
  { issuer, clientAuth }: ProviderFacts,
  credentials: SocialCredentials,
): oauth.ClientAuth {
  if ('clientSecret' in credentials) {
    const { clientSecret } = credentials
    return clientAuth === 'basic'
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret)
  }
  const { clientId, teamId, keyId, privateKey } = credentials
  return async (_server, _client, body) => {
    const secret = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime(`${appleSecretSeconds}s`)
      .sign(await importPKCS8(privateKey, 'ES256'))
    body.set('client_id', clientId)
    body.set('client_secret', secret)
  }
}
