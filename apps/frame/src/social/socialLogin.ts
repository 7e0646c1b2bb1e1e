import {
  confirmSocialRoute,
  finishSocialRoute,
  LatchkeyError,
  type LoginTokens,
  meetWindows,
  type SocialProvider,
  type SocialRefusal,
  type StepUpAction,
  startSocialRoute,
} from '@latchkey/wire'
import { isUnreached } from '../auth/dpopFetch.ts'
import type { LoginSession } from '../auth/loginSession.ts'
import { windowProtocol } from './windowProtocol.ts'

/** How a login at a provider ends. */
export type SocialResult = { readonly tokens: LoginTokens } | { readonly refused: SocialRefusal }

/** A login at a provider that waits for its window. */
export type ProviderLogin = {
  /**
   * The address that the window has to open: the login is in the fragment, which is never sent to a
   * server.
   */
  readonly uri: string
  /**
   * Waits for the provider's answer and returns it. Calls `onStray` if the window ends without an
   * answer to this login. Throws LOGIN_ENDED, ABORTED.
   */
  wait(signal: AbortSignal, onStray?: () => void): Promise<SocialResult>
}

/** A login whose provider the user has not visited yet. */
export type BegunLogin = Pick<ProviderLogin, 'wait'> & {
  readonly tx: string
  /** The URL of Farcaster's page, which has no window on our origin. */
  readonly url: string | undefined
}

type Start = {
  readonly provider: SocialProvider
  readonly projectId: string
  readonly origin: string
  readonly purpose?: 'step-up' | 'link'
  readonly action?: StepUpAction
}
type BrowserContext = { readonly window: Window; readonly session: LoginSession }
type Here = Window & typeof globalThis

const pauseMs = 1_000

/**
 * Begins a login at a provider. The frame has to meet its window: an attacker could have opened it
 * elsewhere.
 */
export async function beginAtProvider(session: LoginSession, start: Start): Promise<BegunLogin> {
  const as = start.purpose === undefined ? 'proof' : 'session'
  const { tx, url } = await session.call(startSocialRoute, start, { as })
  return {
    tx,
    url: url === undefined ? undefined : readWebUrl(url),
    wait: (signal, onStray) => waitForResult(session, { tx, as, signal, onStray }),
  }
}

/**
 * Begins a login at a provider, and meets its window, which the page opens: only this window may
 * continue to the provider. `closed` ends it.
 */
export async function startAtProvider(
  { window, session }: BrowserContext,
  { closed, ...start }: Start & { readonly closed: AbortSignal },
): Promise<ProviderLogin & { readonly tx: string }> {
  const { tx, url, wait } = await beginAtProvider(session, start)
  // The answer of its app arrives through the server only.
  if (url !== undefined) return { tx, uri: url, wait }
  const { origin } = (window as Here).location
  const stop = meetWindows({
    window,
    origin,
    protocol: windowProtocol,
    onMeet: ({ request }) => {
      const meet = async () => {
        const { challenge } = await request('MEET', { tx })
        await session.call(confirmSocialRoute, { tx, challenge }, { as: 'proof' })
        await request('GO', {})
      }
      // It is the window of another login, or it was closed. The user can see either.
      meet().catch(() => {})
    },
  })
  closed.addEventListener('abort', stop, { once: true })
  return {
    tx,
    uri: `${origin}/social#${tx}`,
    wait: async (signal, onStray) => {
      try {
        return await wait(signal, onStray)
      } finally {
        stop()
      }
    },
  }
}

function readWebUrl(url: string): string {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new LatchkeyError('ANSWER_INVALID')
  return url
}

/** A login that continues in this page after its return from the provider. */
export const resumeLogin = ({ window, session }: BrowserContext, tx: string): ProviderLogin => ({
  uri: `${(window as Here).location.origin}/social#${tx}`,
  wait: (signal, onStray) => waitForResult(session, { tx, as: 'proof', signal, onStray }),
})

type ResultParameters = {
  readonly tx: string
  readonly as: 'proof' | 'session'
  readonly signal: AbortSignal
  readonly onStray: (() => void) | undefined
}

/** Tolerates a lost connection. */
async function waitForResult(
  session: LoginSession,
  { tx, as, signal, onStray }: ResultParameters,
): Promise<SocialResult> {
  let known: { strayed?: true } = {}
  for (;;) {
    if (signal.aborted) throw new LatchkeyError('ABORTED')
    try {
      const body = { tx, ...known }
      const { tokens, refused, strayed } = await session.call(finishSocialRoute, body, {
        as,
        signal,
      })
      if (tokens) return { tokens }
      if (refused) return { refused }
      if (strayed) {
        known = { strayed }
        onStray?.()
      }
    } catch (error) {
      if (!isUnreached(error)) throw error
    }
    // A server that shuts down answers immediately.
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}
