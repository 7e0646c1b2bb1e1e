import type { HttpBindings } from '@hono/node-server'
import { type SocialProvider, socialProvider } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Config } from '../../config.ts'
import { clientAddress } from '../../http/clientAddress.ts'
import { getClientOrigin } from '../../http/limitRate.ts'
import type { Auth } from '../auth.ts'
import { leaveForProvider, noteStray, type Refusal, takeAnswer } from './oauthAnswers.ts'
import { isOauth, providers } from './providers.ts'

type FrameConfig = Pick<Config, 'frame'>
const cookieSeconds = 15 * 60

/** Over http, which is only used on this machine, not every browser accepts the prefix. */
const getCookieName = ({ frame }: FrameConfig) =>
  frame.url.startsWith('https:') ? '__Host-latchkey-social' : 'latchkey-social'

/**
 * The cookie that binds the window of a login to this browser. A form that the provider's page
 * posts carries it only with `SameSite=None`.
 */
export function socialCookie(
  config: FrameConfig,
  { value, provider }: { readonly value: string; readonly provider: SocialProvider },
): string {
  const isSecure = config.frame.url.startsWith('https:')
  const isForm = isOauth(provider) && providers[provider].formPost
  const sameSite = isSecure && isForm ? 'None' : 'Lax'
  const base = `${getCookieName(config)}=${value}; Path=/; HttpOnly; Max-Age=${cookieSeconds}`
  return `${base}; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
}

/**
 * The navigations of a social login on the frame's origin: `/visit`, the window that a frame opens;
 * `/oauth/start`, which leads to the provider; `/oauth/callback/:provider`, which leads back. Each
 * ends on our own page, which shows the outcome. A refused navigation has no effect.
 */
export function oauthRoutes(auth: Auth): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const name = getCookieName(auth.config)
  const end = (c: Context, outcome: string) => {
    c.header('cache-control', 'no-store')
    return c.redirect(`${auth.config.frame.url}/social#${outcome}`, 303)
  }
  const answer = async (c: Context, parameters: URLSearchParams, origin: string | undefined) => {
    const provider = socialProvider.safeParse(c.req.param('provider'))
    const cookie = getCookie(c, name)
    if (!provider.success || !isOauth(provider.data)) {
      await noteStray(auth, cookie)
      return end(c, 'ended')
    }
    const taking = { provider: provider.data, cookie, parameters, origin }
    const outcome = await takeAnswer(auth, taking)
    if (!isOutcome(outcome)) {
      auth.log.warn({ provider: provider.data, reason: outcome }, 'a sign-in response was refused')
      await noteStray(auth, cookie)
      return end(c, 'ended')
    }
    const isSecure = auth.config.frame.url.startsWith('https:')
    deleteCookie(c, name, { path: '/', secure: isSecure })
    return end(c, outcome)
  }
  // The browser confirms that our own page has opened this window, so no other page, link or app
  // can lead a user into an attacker's sign-in.
  app.get('/visit', (c, next) =>
    c.req.header('sec-fetch-site') === 'same-origin' ? next() : Promise.resolve(end(c, 'ended')),
  )
  app.get('/oauth/start', async (c) => {
    const site = c.req.header('sec-fetch-site')
    const { signal } = c.req.raw
    const address = clientAddress(getClientOrigin(c), auth.config.trustedProxies)
    const cookie = getCookie(c, name)
    const target = await leaveForProvider(auth, { cookie, site, signal, address })
    if (!(target instanceof URL)) {
      await noteStray(auth, cookie)
      return end(c, 'ended')
    }
    c.header('cache-control', 'no-store')
    return c.redirect(target.href, 303)
  })
  app.get('/oauth/callback/:provider', (c) => answer(c, new URL(c.req.url).searchParams, undefined))
  app.post('/oauth/callback/:provider', async (c) =>
    answer(c, new URLSearchParams(await c.req.text()), c.req.header('origin') ?? ''),
  )
  return app
}

type SignInResult = 'done' | 'refused' | 'failed'
const isOutcome = (outcome: Refusal | SignInResult | null): outcome is SignInResult =>
  outcome === 'done' || outcome === 'refused' || outcome === 'failed'
