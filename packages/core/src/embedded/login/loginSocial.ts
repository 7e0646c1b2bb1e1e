import { LatchkeyError, type SocialProvider } from '@latchkey/wire'
import { countEvent } from '../../analytics/countEvent.ts'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { alertTimeout } from '../alertTimeout.ts'
import type { SecureFrame } from '../frame/frame.ts'
import { getFrame } from '../frame/getFrame.ts'
import { finishLogin } from './loginEmail.ts'

/** The part of a provider's window that is used. */
export type SocialWindow = {
  readonly closed: boolean
  readonly location: { href: string }
  close(): void
}

/**
 * Logs in at a provider, in a window that the user's click has opened, and applies the accounts.
 * Throws CHANNEL_CLOSED without the window, LOGIN_THROTTLED, LOGIN_ENDED, USER_REJECTED,
 * FRAME_NOT_LOADED, and INTERNAL after an alert if the frame takes more than 30 s.
 */
export const loginSocial = (
  app: App,
  parameters: { provider: SocialProvider; opened: SocialWindow | undefined; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const { provider, opened, signal } = parameters
    if (!opened) throw new LatchkeyError('CHANNEL_CLOSED')
    const close = () => opened.close()
    signal?.addEventListener('abort', close, { once: true })
    try {
      const frame = await getFrame(app)
      const uri = await startLogin(app, frame, { provider, signal })
      opened.location.href = uri
      await connectSocial(app, frame, { uri, provider, signal })
    } catch (error) {
      close()
      throw error
    } finally {
      signal?.removeEventListener('abort', close)
    }
  })

/**
 * Logs in at a provider in the page's own tab, if the browser opens no window: the page navigates
 * away, and comes back with the login (see `returnSocial`). Resolves only if that fails. Throws
 * UNSUPPORTED_METHOD (this browser stores nothing here), LOGIN_THROTTLED, FRAME_NOT_LOADED.
 */
export const loginSocialInTab = (
  app: App,
  parameters: { provider: SocialProvider; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const frame = await getFrame(app)
    const uri = await startLogin(app, frame, { ...parameters, inTab: true })
    parameters.signal?.throwIfAborted()
    app.environment.page?.location.assign(uri)
    await new Promise(() => {})
  })

type Login = { readonly provider: SocialProvider; readonly signal?: AbortSignal | undefined }

async function startLogin(
  app: App,
  frame: SecureFrame,
  { provider, signal, inTab }: Login & { readonly inTab?: true },
): Promise<string> {
  signal?.throwIfAborted()
  app.store.setState({ isSocialAstray: false })
  const returnUrl = getReturnUrl(app)
  const params = { provider, ...(returnUrl && { returnUrl }), ...(inTab && { inTab }) }
  const { uri } = await frame
    .request('APP_GET_SOCIAL_REDIRECT_URI', params, signal ? { signal } : {})
    .catch((error: unknown) => alertTimeout(app, error))
  if (new URL(uri).origin !== new URL(app.config.frameUrl ?? '').origin)
    throw new LatchkeyError('ANSWER_INVALID')
  return uri
}

/** The maximum length of a URL that the login carries. */
const maxUrlLength = 2_000

/** The URL of this page; without its query parameters if they are too long to carry. */
function getReturnUrl({ environment: { page } }: App): string | undefined {
  if (!page || page.location.href.length <= maxUrlLength) return page?.location.href
  const { origin, pathname } = new URL(page.location.href)
  return pathname.length <= maxUrlLength ? origin + pathname : `${origin}/`
}

/** Waits for the provider's response, and applies the accounts. */
export async function connectSocial(
  app: App,
  frame: SecureFrame,
  { uri, provider, signal }: Login & { readonly uri: string },
): Promise<void> {
  const own = signal ? { signal } : {}
  await frame.request('APP_CONNECT_SOCIAL', { uri }, { timeoutMs: null, ...own })
  await finishLogin(app, { provider, ...own })
  countEvent(app, { event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider } })
}
