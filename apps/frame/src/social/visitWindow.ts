import {
  confirmSocial,
  LatchkeyError,
  openSocial,
  type SocialProvider,
  type SocialPurpose,
} from '@latchkey/wire'
import type { Meeting } from '../meeting/meeting.ts'
import { askThroughServer, takeQuestion } from '../meeting/sealedMeeting.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import type { Session } from '../session/session.ts'
import type { BegunLogin } from './socialLogin.ts'
import { visitTopic } from './visitTopic.ts'

type Visit = {
  readonly login: Pick<BegunLogin, 'tx' | 'url'>
  readonly provider: SocialProvider
  readonly origin: string
  readonly purpose?: SocialPurpose | undefined
  readonly meeting: Meeting
  readonly signal: AbortSignal
}

/**
 * Tells the window that this frame has opened which login it is for, and lets it through to the
 * provider once it has answered. The page may have cut it off, so they meet at the server. Throws
 * LOGIN_ENDED, ABORTED, ANSWER_INVALID.
 */
export async function letVisit(
  session: Pick<Session, 'call'>,
  { login: { tx, url }, provider, origin, purpose = 'login', meeting, signal }: Visit,
): Promise<void> {
  const question = url === undefined ? { tx, provider, origin, purpose } : { url }
  const { challenge } = await askThroughServer(session, visitTopic, { meeting, question, signal })
  if (url !== undefined) return
  if (challenge === undefined) throw new LatchkeyError('ANSWER_INVALID')
  await session.call(confirmSocial, { tx, challenge }, { as: 'proof' })
}

/** Where a window goes on, and what it may tell the person. */
export type Destination = {
  readonly address: string
  readonly login?: {
    readonly provider: SocialProvider
    readonly origin: string
    /** As the frame says: nothing but the words of the window depends on it. */
    readonly purpose: SocialPurpose
  }
}

/**
 * Learns in such a window where it has to go. A server that names another login than the frame
 * leads nowhere. Throws LOGIN_ENDED, ABORTED, ANSWER_INVALID.
 */
export async function enterVisit(meeting: Meeting, signal: AbortSignal): Promise<Destination> {
  const { question, answer } = await takeQuestion(visitTopic, meeting, signal)
  if ('url' in question) {
    await answer({})
    return { address: question.url }
  }
  const { tx, provider, origin, purpose } = question
  const body = { tx, page: 'visit' } as const
  const opened = await postWithoutProof(openSocial, body, { credentials: 'same-origin' })
  if (opened.provider !== provider || opened.origin !== origin)
    throw new LatchkeyError('ANSWER_INVALID')
  await answer({ challenge: opened.challenge })
  return { address: '/oauth/start', login: { provider, origin, purpose } }
}
