import { LatchkeyError, type startSocialRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { badInput } from '../../http/request/badInput.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { addressPauseMs, consumeLimits } from '../codes/rateLimits.ts'
import { getBrowserName } from '../login/browserName.ts'
import { checkOrigin } from '../login/startLogin.ts'
import type { ProvenCall } from '../mount.ts'
import type { StoredLogin } from '../session/session.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { createHandle, hashToken } from '../session/tokens.ts'
import type { SocialLogin } from '../tables.ts'
import { findFarcaster, openChannel } from './farcaster/channel.ts'
import { findProvider } from './oauthClient.ts'

const lifetimeMs = 15 * 60_000
const hourMs = 3_600_000
const maxPerBrowser = 20

type Call = ProvenCall<typeof startSocialRoute>

/**
 * Begins a login at a provider. Nothing is sent to the provider before the frame has met the window
 * that goes there.
 */
export async function startSocial(
  auth: Auth,
  call: Call,
): Promise<z.infer<typeof startSocialRoute.result>> {
  const { body, jkt, address } = call
  const { provider, projectId, origin, purpose } = body
  const farcaster = provider === 'farcaster' ? findFarcaster(auth) : undefined
  if (!farcaster) findProvider(auth, provider)
  const action = readAction(body)
  await checkOrigin(auth, { projectId, origin })
  const session = purpose === 'login' ? undefined : requireSession(call.session)
  if (session) await assertDeviceOwnsWallet(auth.db, session, action)
  if (session && purpose === 'link') await requireStepUp(auth, session, `link ${provider}`)
  await takeStart(auth, { jkt, address })
  const tx = createHandle()
  const now = new Date(auth.clock())
  const expires_at = new Date(now.getTime() + lifetimeMs)
  const channel =
    farcaster &&
    (await openChannel(auth, farcaster, { hash: hashToken(tx), expiresAt: expires_at }))
  const login: SocialLogin = {
    hash: hashToken(tx),
    purpose,
    action,
    provider,
    session_id: session?.id ?? null,
    jkt,
    origin,
    project_id: projectId,
    browser: getBrowserName(call.userAgent),
    challenge_hash: null,
    cookie_hash: null,
    // An app on another device opens the login's URL, so no purpose has a window to meet.
    confirmed_at: channel ? now : null,
    redirected_at: null,
    answered_at: null,
    outcome: null,
    strayed_at: null,
    strays_told: 0,
    identity_index: null,
    name_sealed: null,
    finished_at: null,
    created_at: now,
    expires_at,
    channel_sealed: channel?.sealed ?? null,
  }
  await auth.db.insertInto('social_logins').values(login).execute()
  return { tx, ...(channel && { url: channel.url }) }
}

/**
 * As with codes, a step-up has an action, a login may have the action of the export page, and
 * linking has no action.
 */
function readAction({ purpose, action }: Call['body']): string | null {
  const valid =
    purpose === 'step-up'
      ? action !== undefined
      : action === undefined || (purpose === 'login' && action === 'export')
  if (!valid)
    throw badInput('action', 'action must belong to the purpose, such as "delete" for "step-up"')
  return action ?? null
}

function requireSession(session: StoredLogin | undefined): StoredLogin {
  if (session === undefined) throw new LatchkeyError('SIGNED_OUT')
  return session
}

type Sender = { readonly jkt: string; readonly address: string }

/**
 * The hourly limits of one browser and of one address. Above them, each further login waits longer.
 */
async function takeStart(
  { db, secrets, clock, config }: Auth,
  { jkt, address }: Sender,
): Promise<void> {
  const subject = (text: string) => secrets.mac('budget', JSON.stringify([text]))
  await consumeLimits(db, {
    budgets: [
      {
        scope: 'social browser',
        subject: await subject(jkt),
        windows: [{ limit: maxPerBrowser, ms: hourMs }],
      },
      {
        scope: 'social address',
        subject: await subject(address),
        windows: [{ limit: config.socialLoginsPerHour, ms: hourMs, pauseMs: addressPauseMs }],
      },
    ],
    nowMs: clock(),
  })
}
