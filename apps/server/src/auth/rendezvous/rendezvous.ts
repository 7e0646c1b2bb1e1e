import {
  type answerRendezvousRoute,
  type awaitRendezvousRoute,
  LatchkeyError,
  type offerRendezvousRoute,
  type takeRendezvousRoute,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import { badInput } from '../../http/request/badInput.ts'
import type { Auth } from '../auth.ts'
import { consumeLimits } from '../codes/rateLimits.ts'
import type { ProvenCall, RouteCall } from '../mount.ts'
import { hashToken } from '../session/tokens.ts'
import { waitFor } from '../waitFor.ts'

const lifetimeMs = 10 * 60_000
const hourMs = 3_600_000
const perBrowser = [{ limit: 120, ms: hourMs }]
const perAddress = [{ limit: 600, ms: hourMs }]

/** Stores the request of a frame. Only the frame's device key will get the response. */
export async function offerRendezvous(
  auth: Auth,
  { body, jkt, address }: ProvenCall<typeof offerRendezvousRoute>,
): Promise<z.infer<typeof offerRendezvousRoute.result>> {
  const subject = (text: string) => auth.secrets.mac('budget', JSON.stringify([text]))
  const nowMs = auth.clock()
  await consumeLimits(auth.db, {
    budgets: [
      { scope: 'rendezvous browser', subject: await subject(jkt), windows: perBrowser },
      { scope: 'rendezvous address', subject: await subject(address), windows: perAddress },
    ],
    nowMs,
  })
  const stored = await auth.db
    .insertInto('rendezvous')
    .values({
      hash: hashToken(body.id),
      jkt,
      question: body.box,
      answer: null,
      taken_at: null,
      expires_at: new Date(nowMs + lifetimeMs),
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  if (stored.numInsertedOrUpdatedRows !== 1n)
    throw badInput('id', 'id is taken: it must be 16 new random bytes in base64url')
  return {}
}

type Waiting = Pick<Auth, 'db' | 'clock' | 'stopping' | 'waits'>

/**
 * Returns the request to the first window that fetches it. The window may fetch it before the frame
 * has stored it.
 */
export async function takeRendezvous(
  auth: Waiting,
  call: Pick<RouteCall<typeof takeRendezvousRoute>, 'body' | 'signal' | 'address'>,
): Promise<z.infer<typeof takeRendezvousRoute.result>> {
  const now = () => new Date(auth.clock())
  const box = await waitFor({ ...auth, ...call }, async () => {
    const taken = await auth.db
      .updateTable('rendezvous')
      .set({ taken_at: now() })
      .where('hash', '=', hashToken(call.body.id))
      .where('taken_at', 'is', null)
      .where('expires_at', '>', now())
      .returning('question')
      .executeTakeFirst()
    if (taken) return taken.question
    const known = await find(auth, call.body.id)
    // A request that has just been stored is taken at the next poll.
    if (known && known.taken_at !== null) throw new LatchkeyError('LOGIN_ENDED')
    return undefined
  })
  return box === undefined ? {} : { box }
}

/** Stores the response of the window that took the request, once. */
export async function answerRendezvous(
  auth: Auth,
  { body }: RouteCall<typeof answerRendezvousRoute>,
): Promise<z.infer<typeof answerRendezvousRoute.result>> {
  const answered = await auth.db
    .updateTable('rendezvous')
    .set({ answer: body.box })
    .where('hash', '=', hashToken(body.id))
    .where('taken_at', 'is not', null)
    .where('answer', 'is', null)
    .where('expires_at', '>', new Date(auth.clock()))
    .executeTakeFirst()
  if (answered.numUpdatedRows !== 1n) throw new LatchkeyError('LOGIN_ENDED')
  return {}
}

/** Returns the response to the frame that sent the request, and deletes the exchange. */
export async function awaitRendezvous(
  auth: Auth,
  call: ProvenCall<typeof awaitRendezvousRoute>,
): Promise<z.infer<typeof awaitRendezvousRoute.result>> {
  const box = await waitFor({ ...auth, ...call }, async () => {
    const known = await find(auth, call.body.id)
    if (known === undefined || known.jkt !== call.jkt) throw new LatchkeyError('LOGIN_ENDED')
    if (known.answer === null) return undefined
    const gone = await auth.db
      .deleteFrom('rendezvous')
      .where('hash', '=', hashToken(call.body.id))
      .executeTakeFirst()
    if (gone.numDeletedRows !== 1n) throw new LatchkeyError('LOGIN_ENDED')
    return known.answer
  })
  return box === undefined ? {} : { box }
}

const find = (auth: Waiting, id: string) =>
  auth.db
    .selectFrom('rendezvous')
    .select(['jkt', 'answer', 'taken_at'])
    .where('hash', '=', hashToken(id))
    .where('expires_at', '>', new Date(auth.clock()))
    .executeTakeFirst()
