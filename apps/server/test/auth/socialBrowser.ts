import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSocials, freePort, type Identity, startIdentity } from '@latchkey/dev'
import type { AuthClient, Reply } from './authClient.ts'
import { type AuthServer, startAuthServer } from './startAuthServer.ts'

/** Writes a SOCIALS_FILE. */
export function writeSocials(socials: object): string {
  const file = join(tmpdir(), `latchkey-socials-${process.pid}-${Math.random()}.json`)
  writeFileSync(file, JSON.stringify(socials))
  return file
}

/** A server whose providers the development's identity provider plays. */
export async function startSocialServer(
  env: Record<string, string> = {},
): Promise<AuthServer & { identity: Identity }> {
  const [port, framePort] = [await freePort(), await freePort()]
  const frameUrl = `http://localhost:${framePort}`
  const secret = 'a secret of this test'
  const identity = await startIdentity({ port, frameUrl, secret })
  const SOCIALS_FILE = writeSocials(describeSocials({ url: identity.url, secret }))
  const started = await startAuthServer({
    SOCIALS_FILE,
    FRAME_PORT: String(framePort),
    FRAME_URL: frameUrl,
    ...env,
  })
  return {
    ...started,
    identity,
    async stop() {
      await started.stop()
      await identity.stop()
    },
  }
}

/** A window of a browser: it keeps cookies by host and follows no redirect by itself. */
export function createWindow() {
  const jars = new Map<string, Map<string, string>>()
  return {
    jars,
    async go(url: string, init: RequestInit = {}): Promise<Response> {
      const { host } = new URL(url)
      const jar = jars.get(host) ?? new Map<string, string>()
      jars.set(host, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = new Headers(init.headers)
      if (cookie !== '') headers.set('cookie', cookie)
      const response = await fetch(url, { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/)
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
  }
}
export type BrowserWindow = ReturnType<typeof createWindow>

/** Begins a login, for a window that has not reported yet. */
export const begin = (client: AuthClient, server: AuthServer['server'], body: object) =>
  client.call(
    '/api/social/start',
    { projectId: 'local', origin: server.url, ...body },
    { token: client.state.tokens?.accessToken },
  )

/** The window reports from our own page. Returns its challenge. */
export async function report(
  window: BrowserWindow,
  { frameUrl }: AuthServer['server'],
  { tx, page }: { tx: string; page?: 'social' | 'visit' },
): Promise<{ status: number; challenge: string }> {
  const headers = { origin: frameUrl, 'content-type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify({ tx, page }), headers }
  const response = await window.go(`${frameUrl}/api/social/open`, init)
  const body = (await response.json()) as { challenge?: string }
  return { status: response.status, challenge: body.challenge ?? '' }
}

/**
 * The window continues to the provider. `site` is the browser's `Sec-Fetch-Site` header, null if
 * absent. Returns the final URL.
 */
export async function continueToProvider(
  window: BrowserWindow,
  { frameUrl }: AuthServer['server'],
  site: string | null = 'same-origin',
): Promise<string> {
  const headers = new Headers(site === null ? {} : { 'sec-fetch-site': site })
  const left = await window.go(`${frameUrl}/oauth/start`, { headers })
  return left.headers.get('location') ?? ''
}

/** The whole way to the start of the provider's sign-in. */
export async function leave(
  client: AuthClient,
  server: AuthServer['server'],
  body: { provider: string; purpose?: string; action?: string },
): Promise<{ tx: string; window: BrowserWindow; target: URL }> {
  const begun = await begin(client, server, body)
  if (begun.status !== 200) throw new Error(begun.text)
  const { tx } = begun.body
  const window = createWindow()
  const page = body.purpose === undefined && body.action === undefined ? 'social' : 'visit'
  const { challenge } = await report(window, server, { tx, page })
  const confirmed = await client.call('/api/social/confirm', { tx, challenge })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return { tx, window, target: new URL(await continueToProvider(window, server)) }
}

/**
 * Chooses an account on the page of the development provider, and returns to the frame's origin.
 * Returns the final URL.
 */
export async function choose(
  window: BrowserWindow,
  target: URL,
  form: Record<string, string>,
): Promise<string> {
  const page = new URL((await window.go(target.href)).headers.get('location') ?? '', target).href
  const body = new URLSearchParams(form)
  const chosen = await window.go(page, { method: 'POST', body })
  const back = await window.go(chosen.headers.get('location') ?? '')
  const location = back.headers.get('location')
  if (location) return end(await window.go(location))
  const html = await back.text()
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
  const fields = [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)]
  const posted = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
  const headers = { origin: target.origin }
  return end(await window.go(action, { method: 'POST', body: posted, headers }))
}

const end = (response: Response) => new URL(response.headers.get('location') ?? '').hash

export const finish = (client: AuthClient, tx: string): Promise<Reply> =>
  client.call('/api/social/finish', { tx }, { token: client.state.tokens?.accessToken })

/** Signs a client in at a provider with an account of the provider. */
export async function signInAt(
  client: AuthClient,
  server: AuthServer['server'],
  body: { provider: string; account: string },
): Promise<Reply> {
  const { provider, account } = body
  const { tx, window, target } = await leave(client, server, { provider })
  const outcome = await choose(window, target, { account })
  if (outcome !== '#done') throw new Error(outcome)
  const reply = await finish(client, tx)
  if (reply.status === 200) client.state.tokens = reply.body.tokens
  return reply
}
