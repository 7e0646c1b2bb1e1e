import {
  confirmSocialRoute,
  LatchkeyError,
  openSocialRoute,
  type SocialProvider,
  type SocialPurpose,
} from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import type { Rendezvous } from '../rendezvous/rendezvous.ts'
import { requestThroughServer, takeRequest } from '../rendezvous/sealedRendezvous.ts'
import { providerPopupTopic } from './providerPopupTopic.ts'
import type { BegunLogin } from './socialLogin.ts'

type ProviderPopupParameters = {
  readonly login: Pick<BegunLogin, 'tx' | 'url'>
  readonly provider: SocialProvider
  readonly origin: string
  readonly purpose?: SocialPurpose | undefined
  readonly rendezvous: Rendezvous
  readonly signal: AbortSignal
}

/**
 * Sends the login to the popup that this frame has opened, and lets the popup continue to the
 * provider once it has answered. The page may have cut the two off from each other, so they
 * communicate through the server. Throws LOGIN_ENDED, ABORTED, ANSWER_INVALID.
 */
export async function allowProviderPopup(
  session: Pick<LoginSession, 'call'>,
  {
    login: { tx, url },
    provider,
    origin,
    purpose = 'login',
    rendezvous,
    signal,
  }: ProviderPopupParameters,
): Promise<void> {
  const question = url === undefined ? { tx, provider, origin, purpose } : { url }
  const { challenge } = await requestThroughServer(session, providerPopupTopic, {
    rendezvous,
    question,
    signal,
  })
  if (url !== undefined) return
  if (challenge === undefined) throw new LatchkeyError('ANSWER_INVALID')
  await session.call(confirmSocialRoute, { tx, challenge }, { as: 'proof' })
}

/** The next page of a popup, and the login to show the user. */
export type Destination = {
  readonly address: string
  readonly login?: {
    readonly provider: SocialProvider
    readonly origin: string
    /** Sent by the frame; only decides which message the popup shows. */
    readonly purpose: SocialPurpose
  }
}

/**
 * Receives the popup's destination. Throws ANSWER_INVALID if the server names another login than
 * the frame, otherwise LOGIN_ENDED or ABORTED.
 */
export async function enterProviderPopup(
  rendezvous: Rendezvous,
  signal: AbortSignal,
): Promise<Destination> {
  const { question, answer } = await takeRequest(providerPopupTopic, rendezvous, signal)
  if ('url' in question) {
    await answer({})
    return { address: question.url }
  }
  const { tx, provider, origin, purpose } = question
  const body = { tx, page: 'visit' } as const
  const opened = await postWithoutProof(openSocialRoute, body, { credentials: 'same-origin' })
  if (opened.provider !== provider || opened.origin !== origin)
    throw new LatchkeyError('ANSWER_INVALID')
  await answer({ challenge: opened.challenge })
  return { address: '/oauth/start', login: { provider, origin, purpose } }
}
