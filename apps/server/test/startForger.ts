import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { freePort } from '@latchkey/dev'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

/** The content of a forged token response. */
export type Forged = {
  readonly header?: Partial<JWTHeaderParameters>
  readonly claims?: Record<string, unknown>
  readonly key?: CryptoKey | Uint8Array
  /** Sent instead of a signed token. */
  readonly raw?: (token: string) => string
}

/**
 * A provider with the answers of the test: `next` is the next ID token, `user` the response of its
 * user API.
 */
export async function startForger() {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const state = {
    next: {} as Forged,
    user: {} as unknown,
    nonce: '',
    challenge: '',
    exchanges: 0,
    pkceFailures: 0,
  }
  const sign = async () => {
    const { header, claims, key = privateKey, raw = (token: string) => token } = state.next
    const now = Math.floor(Date.now() / 1000)
    const all = {
      iss: url,
      aud: 'client',
      sub: 'sub',
      iat: now,
      exp: now + 300,
      nonce: state.nonce,
    }
    const token = await new SignJWT({ ...all, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(key)
    return raw(token)
  }
  const server = createServer(async (request, response) => {
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/jwks') return json({ keys: [jwk] })
    if (request.url === '/user') return json(state.user)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    state.exchanges += 1
    const verifier = new URLSearchParams(text).get('code_verifier') ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== state.challenge) {
      state.pkceFailures += 1
      return json({ error: 'invalid_grant' }, 400)
    }
    const base = { access_token: 'access', token_type: 'bearer', expires_in: 300 }
    json(request.url === '/plain' ? base : { ...base, id_token: await sign() })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const client = { clientId: 'client', clientSecret: 'a secret', issuer: url }
  const places = { authorizationUrl: `${url}/auth`, jwksUrl: `${url}/jwks`, userUrl: `${url}/user` }
  return {
    url,
    state,
    publicKey,
    socials: {
      google: { ...client, ...places, tokenUrl: `${url}/token` },
      github: { ...client, ...places, tokenUrl: `${url}/plain` },
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
