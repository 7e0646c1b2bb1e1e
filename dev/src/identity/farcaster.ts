import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { deriveAccounts } from '../chains/accounts.ts'
import { people } from './people.ts'

/** Seconds for which the relay keeps a request. */
const lifetimeSeconds = 600
const maxChannels = 1_000

const requestSchema = z.object({
  siweUri: z.string().max(500),
  domain: z.string().max(300),
  nonce: z.string().regex(/^[a-zA-Z0-9]{8,100}$/),
  expirationTime: z.iso.datetime().optional(),
})
type Channel = z.infer<typeof requestSchema> & {
  readonly expiresAtMs: number
  answer?: { readonly message: string; readonly signature: string; readonly username: string }
}

/** A response of the relay or of the page that simulates the app. */
export type FarcasterResponse = {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** The choices on the page of a request. */
const choices = {
  custody: 'Sign in as',
  auth: 'Sign in as ada with another device (auth address)',
  refuse: 'Do not allow it',
  expire: 'Answer too late',
  stranger: 'Sign with a key that is not ada’s',
} as const

/**
 * Simulates Farcaster's relay (FIP-11) and its app on this machine: `POST /v1/channel`,
 * `GET /v1/channel/status`, and the page of a request at `/~/siwf`. Undefined for other paths.
 */
export function playFarcaster(
  url: string,
  readBody: (request: IncomingMessage) => Promise<string>,
) {
  const channels = new Map<string, Channel>()
  const find = (token: string | null | undefined) => {
    const channel = channels.get(token ?? '')
    return channel && channel.expiresAtMs > Date.now() ? channel : undefined
  }
  return async (request: IncomingMessage): Promise<FarcasterResponse | undefined> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/v1/channel' && request.method === 'POST') {
      const parsed = requestSchema.safeParse(JSON.parse(await readBody(request)))
      if (!parsed.success || channels.size >= maxChannels)
        return json(400, { error: 'bad request' })
      const channelToken = randomUUID()
      const expiresAtMs = Date.now() + lifetimeSeconds * 1_000
      channels.set(channelToken, { ...parsed.data, expiresAtMs })
      const { nonce } = parsed.data
      return json(201, { channelToken, url: `${url}/~/siwf?channelToken=${channelToken}`, nonce })
    }
    if (pathname === '/v1/channel/status') {
      const channel = find(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1])
      if (!channel) return json(401, { error: 'unauthorized' })
      const { nonce, answer } = channel
      return answer
        ? json(200, { state: 'completed', nonce, ...answer })
        : json(202, { state: 'pending', nonce })
    }
    if (pathname !== '/~/siwf') return undefined
    const token = searchParams.get('channelToken')
    const channel = find(token)
    if (!channel || channel.answer) return page('<p>This request has ended. Close this page.</p>')
    if (request.method !== 'POST') return page(form(channel))
    const chosen = new URLSearchParams(await readBody(request))
    if (chosen.get('how') === 'refuse') channels.delete(token ?? '')
    else channel.answer = await sign(channel, chosen)
    return page('<p>Done. Close this page and go back.</p>')
  }
}

/**
 * Signs as a user (the first accounts of the chain have the fids 1 to 3), or creates a signature
 * that must be refused.
 */
async function sign(channel: Channel, chosen: URLSearchParams) {
  const how = chosen.get('how')
  const isCustody = how === 'custody'
  const place = isCustody ? people.map(String).indexOf(chosen.get('person') ?? '') : 0
  const signer = deriveAccounts()[how === 'auth' ? 3 : how === 'stranger' ? 5 : place]
  if (place === -1 || !signer) throw new Error('not a person')
  const account = privateKeyToAccount(signer.privateKey)
  const { domain, siweUri, nonce, expirationTime } = channel
  const ends = how === 'expire' ? new Date(0).toISOString() : expirationTime
  const message = [
    `${domain} wants you to sign in with your Ethereum account:`,
    account.address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${siweUri}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
    ...(ends ? [`Expiration Time: ${ends}`] : []),
    'Resources:',
    `- farcaster://fid/${place + 1}`,
  ].join('\n')
  return {
    message,
    signature: await account.signMessage({ message }),
    username: people[place] ?? '',
  }
}

const json = (status: number, body: object): FarcasterResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})

const page = (content: string): FarcasterResponse => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Farcaster, for development</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/identity.css"></head>
<body><main><h1>Farcaster, for development</h1>${content}</main></body></html>`,
})

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function form({ domain }: Channel): string {
  const { custody, ...others } = choices
  const persons = people
    .map(
      (name, index) =>
        `<button name="person" value="${name}">${custody} ${name} (fid ${index + 1})</button>`,
    )
    .join('\n')
  const rest = Object.entries(others)
    .map(([how, text]) => `<button name="how" value="${how}">${text}</button>`)
    .join('\n')
  return `<p>This page on your machine simulates the Farcaster app. ${escapeHtml(domain)} asks for a sign-in.</p>
<form method="post"><input type="hidden" name="how" value="custody">${persons}</form>
<form method="post">${rest}</form>`
}
