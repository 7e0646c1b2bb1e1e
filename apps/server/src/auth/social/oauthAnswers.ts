import { timingSafeEqual } from 'node:crypto'
import { type SocialProvider, socialProvider } from '@latchkey/wire'
import type { Auth } from '../auth.ts'
import { hashToken } from '../session/tokens.ts'
import type { SocialLogin } from '../tables.ts'
import { waitFor } from '../waitFor.ts'
import { type Binding, buildSignInUrl, findProvider, readForeignUser } from './oauthClient.ts'

/** The reason for refusing a navigation. Its parameters do not show which login it belongs to. */
export type Refusal =
  | 'no cookie'
  | 'no login'
  | 'not ours'
  | 'not met'
  | 'state'
  | 'origin'
  | 'answered'

type Leaving = {
  readonly cookie: string | undefined
  /** The header `Sec-Fetch-Site`, which shows what opened the window. */
  readonly site: string | undefined
  readonly signal: AbortSignal
  readonly address: string
}

/**
 * The URL that the window of a login continues to, once. A login that confirms or adds something,
 * or exports, continues only if our own page opened the window. It waits at most 20 s until the
 * frame that began the login has met the window. Plain sign-ins do not wait: without a confirmation
 * by its frame a login never finishes, even if the provider's response is valid.
 */
export async function leaveForProvider(auth: Auth, leaving: Leaving): Promise<URL | Refusal> {
  if (leaving.cookie === undefined) return 'no cookie'
  const login = await awaitRendezvous(auth, { ...leaving, cookieHash: hashToken(leaving.cookie) })
  if (typeof login === 'string') return login
  const now = new Date(auth.clock())
  const left = await auth.db
    .updateTable('social_logins')
    .set({ redirected_at: now })
    .where('hash', '=', login.hash)
    .where('redirected_at', 'is', null)
    .executeTakeFirst()
  if (left.numUpdatedRows !== 1n) return 'no login'
  const provider = findProvider(auth, socialProvider.parse(login.provider))
  const binding = await deriveBinding(auth, login)
  return buildSignInUrl(provider, { binding, askAgain: login.purpose !== 'login' })
}

/** The login of a window that may leave. */
async function awaitRendezvous(
  auth: Auth,
  { cookieHash, site, ...client }: Omit<Leaving, 'cookie'> & { readonly cookieHash: Uint8Array },
): Promise<SocialLogin | Refusal> {
  const met = await waitFor<SocialLogin | Refusal>({ ...auth, ...client }, async () => {
    const login = await auth.db
      .selectFrom('social_logins')
      .selectAll()
      .where('cookie_hash', '=', cookieHash)
      .where('redirected_at', 'is', null)
      .where('expires_at', '>', new Date(auth.clock()))
      .executeTakeFirst()
    if (login === undefined) return 'no login'
    const isPlain = login.purpose === 'login' && login.action === null
    if (isPlain) return login
    if (site !== 'same-origin') return 'not ours'
    if (login.confirmed_at !== null) return login
    return undefined
  })
  return met ?? 'not met'
}

type OAuthResponse = {
  readonly provider: SocialProvider
  readonly cookie: string | undefined
  /** The parameters of the provider's redirect or form. */
  readonly parameters: URLSearchParams
  /** The header `Origin` of a form. */
  readonly origin: string | undefined
}

/**
 * Takes the response of a provider, once, and stores who signed in. The response counts only in the
 * browser whose window left for exactly this provider, with the state of that login.
 */
export async function takeAnswer(
  auth: Auth,
  answer: OAuthResponse,
): Promise<Refusal | SocialLogin['outcome']> {
  const { cookie, parameters } = answer
  const now = new Date(auth.clock())
  if (cookie === undefined) return 'no cookie'
  if (!auth.config.socials.has(answer.provider)) return 'no login'
  const provider = findProvider(auth, answer.provider)
  const { facts } = provider
  const isForm = answer.origin !== undefined
  if (isForm !== (facts.formPost === true)) return 'origin'
  if (isForm && answer.origin !== new URL(facts.authorizationUrl).origin) return 'origin'
  const login = await auth.db
    .selectFrom('social_logins')
    .selectAll()
    .where('cookie_hash', '=', hashToken(cookie))
    .where('provider', '=', answer.provider)
    .where('redirected_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (login === undefined) return 'no login'
  const binding = await deriveBinding(auth, login)
  if (!isSame(parameters.get('state') ?? '', binding.state)) return 'state'
  const taken = await auth.db
    .updateTable('social_logins')
    .set({ answered_at: now })
    .where('hash', '=', login.hash)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  if (taken.numUpdatedRows !== 1n) return 'answered'
  const result = await readResult(auth, { provider, parameters, binding })
  await auth.db.updateTable('social_logins').set(result).where('hash', '=', login.hash).execute()
  return result.outcome
}

/**
 * Records that the window with this cookie has ended without a response to its login, so that the
 * frame of the login can report it. The login continues, because its own response may still arrive.
 */
export async function noteStray(auth: Auth, cookie: string | undefined): Promise<void> {
  if (cookie === undefined) return
  await auth.db
    .updateTable('social_logins')
    .set({ strayed_at: new Date(auth.clock()), strays_told: 0 })
    .where('cookie_hash', '=', hashToken(cookie))
    .where('answered_at', 'is', null)
    .execute()
}

type Received = {
  readonly provider: ReturnType<typeof findProvider>
  readonly parameters: URLSearchParams
  readonly binding: Binding
}

async function readResult(auth: Auth, { provider, parameters, binding }: Received) {
  const error = parameters.get('error')
  if (error !== null) {
    const refused = /^(access_denied|user_cancelled_\w+|user_denied)$/.test(error)
    return { outcome: refused ? ('refused' as const) : ('failed' as const) }
  }
  try {
    const user = await readForeignUser(provider, { answer: parameters, binding })
    const { issuer, subject, name } = user
    const [identity_index, name_sealed] = await Promise.all([
      auth.secrets.mac('identity-index', JSON.stringify([provider.id, issuer, subject])),
      auth.secrets.seal({ purpose: 'identity-name' }, Buffer.from(name)),
    ])
    return { outcome: 'done' as const, identity_index, name_sealed }
  } catch (error) {
    // The message may quote the provider's response, which may be secret, so only the error's code
    // is logged.
    const { code } = error as { code?: unknown }
    auth.log.warn({ code: typeof code === 'string' ? code : undefined }, 'a social login failed')
    return { outcome: 'failed' as const }
  }
}

/** Derived from the login and the window's cookie hash, so that no binding value is stored. */
async function deriveBinding({ secrets }: Auth, login: SocialLogin): Promise<Binding> {
  const data = Buffer.concat([login.hash, login.cookie_hash ?? Buffer.alloc(0)])
  const derive = async (purpose: string) =>
    Buffer.from(await secrets.mac(purpose, data)).toString('base64url')
  return {
    state: await derive('oauth-state'),
    nonce: await derive('oauth-nonce'),
    verifier: await derive('oauth-verifier'),
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
