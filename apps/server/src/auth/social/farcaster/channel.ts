import { LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { badInput } from '../../../http/request/badInput.ts'
import type { Auth } from '../../auth.ts'
import type { SocialLogin } from '../../tables.ts'
import type { FarcasterConfig } from '../socialsFile.ts'

const timeoutMs = 5_000
const maxBytes = 64 * 1024
const sealContext = { purpose: 'farcaster-channel' }

const opened = z.object({
  channelToken: z.string().min(1).max(200),
  url: z.string().max(2_000),
  nonce: z.string(),
})
const status = z.object({
  state: z.enum(['pending', 'completed']),
  message: z.string().max(4_000).optional(),
  signature: z.string().max(20_000).optional(),
  username: z.string().max(200).optional().catch(undefined),
})

/**
 * The claim that an app has handed to the relay. Nothing in it is trusted before it has been
 * verified.
 */
export type Claim = { readonly message: string; readonly signature: string; readonly name: string }

/** The operator's configuration of Farcaster. Throws `INVALID_PARAMS` without one. */
export function findFarcaster({ config }: Pick<Auth, 'config'>): FarcasterConfig {
  const found = config.socials.get('farcaster')
  if (found === undefined || !('rpcUrl' in found))
    throw badInput('provider', 'provider must be one that this server has, such as "google"')
  return found
}

/**
 * The expected content of a login's message. The nonce is derived from the login, so that no other
 * login has it.
 */
export async function expectMessage({ config, secrets }: Auth, hash: Uint8Array) {
  const nonce = Buffer.from(await secrets.mac('farcaster-nonce', hash)).toString('hex')
  const { url } = config.frame
  return { domain: new URL(url).host, uri: `${url}/`, nonce: nonce.slice(0, 32) }
}

type Begun = { readonly hash: Uint8Array; readonly expiresAt: Date }

/**
 * Opens a channel at the relay (FIP-11). The URL is shown only if it is Farcaster's own with this
 * channel, because a relay could otherwise lead to an attacker's request. Throws `OUTBOUND_FAILED`.
 */
export async function openChannel(
  auth: Auth,
  farcaster: FarcasterConfig,
  { hash, expiresAt }: Begun,
): Promise<{ readonly sealed: Uint8Array; readonly url: string }> {
  const { domain, uri, nonce } = await expectMessage(auth, hash)
  const body = {
    siweUri: uri,
    domain,
    nonce,
    expirationTime: expiresAt.toISOString(),
    acceptAuthAddress: true,
  }
  const answer = await ask(farcaster, '/v1/channel', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const parsed = opened.safeParse(answer.json)
  if (!parsed.success || !answer.ok || parsed.data.nonce !== nonce) throw unavailable(farcaster)
  const { channelToken, url } = parsed.data
  const leads = URL.canParse(url) ? new URL(url) : undefined
  const isOwn =
    leads?.origin === new URL(farcaster.appUrl).origin &&
    leads.searchParams.get('channelToken') === channelToken
  if (!isOwn) throw unavailable(farcaster)
  return { url, sealed: await auth.secrets.seal(sealContext, Buffer.from(channelToken)) }
}

/**
 * The relay's result for a login: nothing yet, a claim, or a response that cannot be read. `gone`:
 * the channel no longer exists. The user declined or did not answer in time.
 */
export async function readChannel(
  auth: Auth,
  farcaster: FarcasterConfig,
  { channel_sealed }: Pick<SocialLogin, 'channel_sealed'>,
): Promise<Claim | 'pending' | 'gone' | 'unreadable'> {
  const token = await auth.secrets.open(sealContext, channel_sealed ?? new Uint8Array())
  const headers = { authorization: `Bearer ${Buffer.from(token).toString('utf8')}` }
  const answer = await ask(farcaster, '/v1/channel/status', { headers })
  if ([401, 403, 404, 410].includes(answer.status)) return 'gone'
  if (!answer.ok) return 'pending'
  const parsed = status.safeParse(answer.json)
  if (!parsed.success) return 'unreadable'
  const { state, message, signature, username = '' } = parsed.data
  if (state === 'pending') return 'pending'
  return message && signature ? { message, signature, name: username } : 'unreadable'
}

const unavailable = ({ relayUrl }: FarcasterConfig, cause?: unknown) =>
  new LatchkeyError('OUTBOUND_FAILED', {
    data: { host: new URL(relayUrl).host, reason: 'try again in a minute' },
    cause,
  })

/** Throws `OUTBOUND_FAILED` if the relay does not answer with JSON in time. */
async function ask(farcaster: FarcasterConfig, path: string, init: RequestInit) {
  try {
    const response = await fetch(`${farcaster.relayUrl.replace(/\/$/, '')}${path}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const json = response.ok ? (parseBoundedJson(await readText(response)) as unknown) : undefined
    return { ok: response.ok, status: response.status, json }
  } catch (cause) {
    throw unavailable(farcaster, cause)
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the response of the relay is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
