import {
  answerRendezvous,
  awaitRendezvous,
  decodeBase64,
  encodeBase64,
  isError,
  LatchkeyError,
  maxBoxLength,
  offerRendezvous,
  takeRendezvous,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import type { Session } from '../session/session.ts'
import { type ApprovalView, approvalView } from './approvalView.ts'
import type { Meeting } from './meeting.ts'

const ivBytes = 12
const pauseMs = 500
const decision = z.object({ approved: z.boolean() })

const toText = (from: Uint8Array) => encodeBase64(from, 'base64url')

function fromText(text: string): Uint8Array<ArrayBuffer> {
  const found = decodeBase64(text, 'base64url')
  if (!found) throw new LatchkeyError('ANSWER_INVALID')
  return found
}

type Role = 'question' | 'answer'

/**
 * AES-256-GCM with a key of each direction (HKDF of the secret). Bound are the meeting and, for an answer, the very question: a server
 * that replays, swaps or changes one makes it unreadable.
 */
async function openKey({ secret }: Meeting, role: Role): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', fromText(secret), 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode(`latchkey approval window v1 ${role}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

type Bound = { readonly meeting: Meeting; readonly role: Role; readonly question?: string }

const bind = ({ meeting, role, question = '' }: Bound) =>
  new TextEncoder().encode(JSON.stringify([role, meeting.id, question]))

export async function sealBox(bound: Bound, value: unknown): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bind(bound) },
    await openKey(bound.meeting, bound.role),
    new TextEncoder().encode(JSON.stringify(value)),
  )
  const box = toText(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
  if (box.length > maxBoxLength) throw new LatchkeyError('MESSAGE_TOO_LARGE')
  return box
}

/** Throws ANSWER_INVALID for what was not sealed for exactly this. */
export async function openBox(bound: Bound, box: string): Promise<unknown> {
  try {
    const data = fromText(box)
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: data.slice(0, ivBytes), additionalData: bind(bound) },
      await openKey(bound.meeting, bound.role),
      data.slice(ivBytes),
    )
    return JSON.parse(new TextDecoder().decode(opened))
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}

type Asking = {
  readonly meeting: Meeting
  readonly view: ApprovalView
  readonly signal: AbortSignal
}

/** Has the window of a meeting decide, through the server. Throws LOGIN_ENDED, ABORTED, ANSWER_INVALID. */
export async function askThroughServer(
  session: Pick<Session, 'call'>,
  { meeting, view, signal }: Asking,
): Promise<boolean> {
  const { id } = meeting
  const question = await sealBox({ meeting, role: 'question' }, view)
  await session.call(offerRendezvous, { id, box: question }, { as: 'proof', signal })
  const answer = await untilBox(signal, () =>
    session.call(awaitRendezvous, { id }, { as: 'proof', signal }),
  )
  const opened = await openBox({ meeting, role: 'answer', question }, answer)
  const parsed = z.safeParse(decision, opened)
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID')
  return parsed.data.approved
}

/** The question of a meeting, in its window, and how it is answered. Throws LOGIN_ENDED, ANSWER_INVALID. */
export async function takeQuestion(
  meeting: Meeting,
  signal: AbortSignal,
): Promise<{ view: ApprovalView; answer: (approved: boolean) => Promise<void> }> {
  const { id } = meeting
  const question = await untilBox(signal, () => postWithoutProof(takeRendezvous, { id }))
  const view = z.safeParse(approvalView, await openBox({ meeting, role: 'question' }, question))
  if (!view.success) throw new LatchkeyError('ANSWER_INVALID')
  return {
    view: view.data,
    async answer(approved) {
      const box = await sealBox({ meeting, role: 'answer', question }, { approved })
      await postWithoutProof(answerRendezvous, { id, box })
    },
  }
}

/** Tolerates a lost connection. */
async function untilBox(
  signal: AbortSignal,
  ask: () => Promise<{ box?: string | undefined }>,
): Promise<string> {
  for (;;) {
    if (signal.aborted) throw new LatchkeyError('ABORTED')
    try {
      const { box } = await ask()
      if (box !== undefined) return box
    } catch (error) {
      if (!isError(error, 'OFFLINE') && !isError(error, 'TIMEOUT')) throw error
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}
