import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Inbox, Mail } from '@latchkey/dev'
import type { ErrorCode, LoginTokens } from '@latchkey/wire'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { TestServer } from '../startTestServer.ts'

/** A response: its status, its error code if the request was refused, and its body. */
export type Reply = {
  readonly status: number
  readonly code: ErrorCode | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they asked for.
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

type CallOptions = {
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
  /** Changes the claims of the proof. */
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  /** Sent in place of the body's JSON. */
  readonly text?: string
  /** A proof to send instead of the client's own. */
  readonly proof?: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

type ClientOptions = { readonly userAgent?: string; readonly address?: string }

const drawAddress = () => `10.${[...randomBytes(3)].join('.')}`

/** A client that acts like a browser's frame: a device key, nonces, tokens. */
export async function createAuthClient(server: TestServer, more: ClientOptions = {}) {
  const { userAgent = firefox, address = drawAddress() } = more
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const origin = server.frameUrl
  let nonce: string | undefined
  const state: { tokens: LoginTokens | undefined } = { tokens: undefined }

  async function prove(path: string, text: string, options: CallOptions = {}): Promise<string> {
    nonce ??= (await post('/api/nonce', '{}', {})).body.nonce as string
    return sign(
      privateKey,
      { jwk, ...options.header },
      {
        htm: 'POST',
        htu: path,
        jti: randomUUID(),
        nonce,
        bh: sha256(text),
        ...(options.token !== undefined && { ath: sha256(options.token) }),
        ...options.claims,
      },
    )
  }

  async function post(path: string, text: string, headers: Record<string, string>): Promise<Reply> {
    const response = await fetch(`${server.frameUrl}${path}`, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        origin,
        'sec-fetch-site': 'same-origin',
        'user-agent': userAgent,
        'x-forwarded-for': address,
        ...headers,
      },
    })
    const said = await response.text()
    nonce = response.headers.get('dpop-nonce') ?? nonce
    const body = said.startsWith('{') ? JSON.parse(said) : undefined
    const code = response.ok ? undefined : (body?.code as ErrorCode | undefined)
    return { status: response.status, code, body, text: said, headers: response.headers }
  }

  async function call(path: string, body: unknown, options: CallOptions = {}): Promise<Reply> {
    const text = options.text ?? JSON.stringify(body)
    const send = async () =>
      post(path, text, {
        dpop: options.proof ?? (await prove(path, text, options)),
        ...(options.token !== undefined && { authorization: `DPoP ${options.token}` }),
        ...options.headers,
      })
    const reply = await send()
    // As a frame does: the newest nonce came with the answer.
    const again = reply.code === 'PROOF_NONCE_NEEDED' && !options.proof && !options.claims
    return again ? send() : reply
  }

  return {
    state,
    address,
    /** Fetches the nonce for the next call. */
    async prime() {
      nonce = undefined
      await post('/api/nonce', '{}', {})
    },
    call,
    post,
    prove,
    /** A call of the session this client has. */
    ask: (path: string, body: unknown = {}) =>
      call(path, body, { token: state.tokens?.accessToken }),
    begin: (email: string, more: object = {}) =>
      call('/api/login', { email, projectId: 'local', origin: server.url, ...more }),
  }
}
export type AuthClient = Awaited<ReturnType<typeof createAuthClient>>

/** Creates proofs, also invalid proofs that our clients never create. */
export const sign = (
  key: CryptoKey,
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', ...header }).sign(key)

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

const newest = (inbox: Inbox, email: string): Mail => {
  const mail = inbox.mails.find(({ to }) => to.includes(email))
  if (!mail) throw new Error(`No mail to ${email}`)
  return mail
}

/** The code in the newest mail to a mailbox. */
export function codeIn(inbox: Inbox, email: string): string {
  const { text } = newest(inbox, email)
  const code = /^ {4}(\d{6})$/m.exec(text)?.[1]
  if (!code) throw new Error(`No code in: ${text}`)
  return code
}

/** The secret of the link in the newest mail to a mailbox. */
export function secretIn(inbox: Inbox, email: string, page: 'device' | 'undo' = 'device'): string {
  const { text } = newest(inbox, email)
  const secret = new RegExp(`/${page}#([\\w-]{22})$`, 'm').exec(text)?.[1]
  if (!secret) throw new Error(`No link in: ${text}`)
  return secret
}

/** Another code than this one. */
export const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Begins a login and approves its browser, so that the code is in the inbox. */
export async function reachCode(
  client: AuthClient,
  inbox: Inbox,
  email: string,
  more: object = {},
): Promise<string> {
  const begun = await client.begin(email, more)
  if (begun.status !== 200) throw new Error(begun.text)
  const { tx, action, matchCode } = begun.body
  if (action === 'VERIFY_DEVICE') {
    const body = JSON.stringify({ secret: secretIn(inbox, email), matchCode })
    const approved = await client.post('/api/device-link/approve', body, {})
    if (approved.status !== 200) throw new Error(approved.text)
  }
  return tx
}

/** Signs a client in, from its first call to its tokens. */
export async function signIn(
  client: AuthClient,
  inbox: Inbox,
  email: string,
  more: object = {},
): Promise<LoginTokens> {
  const tx = await reachCode(client, inbox, email, more)
  const reply = await client.call('/api/login/verify', { tx, code: codeIn(inbox, email) })
  if (reply.status !== 200) throw new Error(reply.text)
  client.state.tokens = reply.body as LoginTokens
  return reply.body as LoginTokens
}
