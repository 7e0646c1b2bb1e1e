import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { interactionPolicy } from 'oidc-provider'
import { host } from '../ports.ts'
import { playFarcaster } from './farcaster.ts'
import { identityPage, identityStyles } from './identityPage.ts'
import { describePerson, describeUser } from './people.ts'
import { clientAuth, played } from './socials.ts'

/** The identity provider of this machine, which simulates all providers of social login. */
export type Identity = {
  readonly url: string
  stop(): Promise<void>
}

const plainScopes = ['read:user', 'identify', 'users.read', 'tweet.read', 'public_profile']
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/**
 * Starts the provider on `port`, for the frame at `frameUrl`. It stores nothing: the user chooses
 * an identity each time.
 */
export async function startIdentity(parameters: {
  port: number
  frameUrl: string
  /** Secret of the provider's clients. */
  secret: string
}): Promise<Identity> {
  const { port, frameUrl, secret } = parameters
  // Uses `localhost` like the frame, so that the posted form is same-site.
  const url = `http://localhost:${port}`
  const provider = createProvider({ url, frameUrl, secret })
  const answer = provider.callback()
  const farcaster = playFarcaster(url, readBody)
  const answerFarcaster = async (request: IncomingMessage, response: ServerResponse) => {
    const given = await farcaster(request).catch(() => ({
      status: 400,
      type: 'text/plain',
      body: 'This is not a request.\n',
    }))
    if (!given) return false
    const { status, type, body } = given
    const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy }
    response.writeHead(status, headers).end(body)
    return true
  }
  const server = createServer((request, response) => {
    request.url = withoutPrompt(request.url ?? '/')
    void answerFarcaster(request, response)
      .then((own) => own || answerOwn(provider, request, response))
      .then((own) => own || answer(request, response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Removes `prompt`: the user always chooses, and the values differ between real providers. */
function withoutPrompt(path: string): string {
  const url = new URL(path, 'http://identity')
  if (url.pathname !== '/auth') return path
  url.searchParams.delete('prompt')
  return `${url.pathname}${url.search}`
}

function createProvider(at: { url: string; frameUrl: string; secret: string }): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const prompts = interactionPolicy.base()
  const { Check } = interactionPolicy
  prompts
    .get('login')
    .checks.add(
      new Check('choose', 'the person chooses each time', ({ oidc }) =>
        oidc.result ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  prompts.remove('consent')
  const scopes = ['openid', 'profile', 'name', ...plainScopes]
  const provider: Provider = new Provider(at.url, {
    clients: played.map((id) => ({
      client_id: id,
      client_secret: at.secret,
      redirect_uris: [`${at.frameUrl}/oauth/callback/${id}`],
      token_endpoint_auth_method: clientAuth[id],
    })),
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'dev' }],
    },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    scopes,
    claims: { openid: ['sub'], profile: ['name'], name: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: {
      policy: prompts,
      url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    ttl: { Interaction: 900, Session: 900, Grant: 900, AccessToken: 300, IdToken: 300 },
    findAccount: (_: unknown, accountId: string) => {
      const { number: _number, ...claims } = describePerson(accountId)
      return { accountId, claims: () => claims }
    },
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } }
    }) => {
      const { accountId } = oidc.session
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope(scopes.join(' '))
      await grant.save()
      return grant
    },
  })
  return provider
}

/**
 * Handles our own paths: the page of choices, and the APIs of the plain OAuth providers. Returns
 * false for all other paths.
 */
async function answerOwn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = new URL(request.url ?? '/', 'http://identity').pathname
  const send = (status: number, type: string, body: string) => {
    const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy }
    response.writeHead(status, headers).end(body)
    return true
  }
  if (path === '/identity.css') return send(200, 'text/css', identityStyles)
  const user = /^\/users\/(\w+)$/.exec(path)?.[1]
  if (user !== undefined) {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const found = await provider.AccessToken.find(token)
    if (!found) return send(401, 'application/json', '{}')
    return send(200, 'application/json', JSON.stringify(describeUser(user, found.accountId)))
  }
  if (!path.startsWith('/interaction/')) return false
  try {
    const { params } = await provider.interactionDetails(request, response)
    if (request.method !== 'POST')
      return send(200, 'text/html', identityPage(String(params.client_id)))
    const form = new URLSearchParams(await readBody(request))
    const result = readChoice(form)
    await provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: false,
    })
    return true
  } catch {
    return send(400, 'text/plain', 'This sign-in has ended. Start again where you came from.\n')
  }
}

function readChoice(form: URLSearchParams): Record<string, unknown> {
  const outcome = form.get('outcome')
  if (outcome === 'refuse') return { error: 'access_denied' }
  if (outcome === 'fail') return { error: 'server_error' }
  const accountId = form.get('account') ?? ''
  if (!/^[a-z0-9.-]{1,40}$/.test(accountId)) throw new Error('not an identity')
  return { login: { accountId, remember: false } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 2_000) throw new Error('too long')
  }
  return text
}
