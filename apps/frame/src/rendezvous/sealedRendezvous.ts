import {
  answerRendezvousRoute,
  awaitRendezvousRoute,
  decodeBase64,
  encodeBase64,
  LatchkeyError,
  maxBoxLength,
  offerRendezvousRoute,
  parseBoundedJson,
  takeRendezvousRoute,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import { isUnreached } from '../auth/dpopFetch.ts'
import type { LoginSession } from '../auth/loginSession.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import type { Rendezvous } from './rendezvous.ts'

/**
 * A kind of request from a frame to its popup. The name is part of the keys: a box of one topic
 * cannot be opened in another.
 */
export type Topic<Question, Answer> = {
  readonly name: string
  readonly question: z.ZodMiniType<Question>
  readonly answer: z.ZodMiniType<Answer>
}

const ivBytes = 12
const pauseMs = 500

const toText = (from: Uint8Array) => encodeBase64(from, 'base64url')

function fromText(text: string): Uint8Array<ArrayBuffer> {
  const found = decodeBase64(text, 'base64url')
  if (!found) throw new LatchkeyError('ANSWER_INVALID')
  return found
}

type Role = 'question' | 'answer'

/**
 * An AES-256-GCM key for one topic and direction (HKDF of the secret). Boxes are bound to the
 * rendezvous, and answers also to their exact question: a box that the server replays, swaps or
 * changes cannot be opened.
 */
async function openKey({ rendezvous, topic, role }: BoxContext): Promise<CryptoKey> {
  const secret = fromText(rendezvous.secret)
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode(`latchkey ${topic.name} v1 ${role}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

type BoxContext = {
  readonly rendezvous: Rendezvous
  readonly topic: { readonly name: string }
  readonly role: Role
  readonly question?: string
}

const bind = ({ rendezvous, role, question = '' }: BoxContext) =>
  new TextEncoder().encode(JSON.stringify([role, rendezvous.id, question]))

async function sealBox(bound: BoxContext, value: unknown): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bind(bound) },
    await openKey(bound),
    new TextEncoder().encode(JSON.stringify(value)),
  )
  const box = toText(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
  if (box.length > maxBoxLength) throw new LatchkeyError('MESSAGE_TOO_LARGE')
  return box
}

/** Opens a box. Throws ANSWER_INVALID if it was not sealed for exactly the values in `bound`. */
async function openBox(bound: BoxContext, box: string): Promise<unknown> {
  try {
    const data = fromText(box)
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: data.slice(0, ivBytes), additionalData: bind(bound) },
      await openKey(bound),
      data.slice(ivBytes),
    )
    return parseBoundedJson(new TextDecoder().decode(opened))
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}

type RequestParameters<Question> = {
  readonly rendezvous: Rendezvous
  readonly question: Question
  readonly signal: AbortSignal
}

/**
 * Sends the question to the popup of a rendezvous, through the server, and returns the answer.
 * Throws LOGIN_ENDED, ABORTED, ANSWER_INVALID.
 */
export async function requestThroughServer<Question, Answer>(
  session: Pick<LoginSession, 'call'>,
  topic: Topic<Question, Answer>,
  { rendezvous, question, signal }: RequestParameters<Question>,
): Promise<Answer> {
  const { id } = rendezvous
  const asked = await sealBox({ rendezvous, topic, role: 'question' }, question)
  await session.call(offerRendezvousRoute, { id, box: asked }, { as: 'proof', signal })
  const answer = await untilBox(signal, () =>
    session.call(awaitRendezvousRoute, { id }, { as: 'proof', signal }),
  )
  return parse(
    topic.answer,
    await openBox({ rendezvous, topic, role: 'answer', question: asked }, answer),
  )
}

/** The question that a popup received, and the function that answers it. */
export type ReceivedRequest<Question, Answer> = {
  readonly question: Question
  readonly answer: (value: Answer) => Promise<void>
}

/** Receives the question in the popup. Throws LOGIN_ENDED, ABORTED, ANSWER_INVALID. */
export async function takeRequest<Question, Answer>(
  topic: Topic<Question, Answer>,
  rendezvous: Rendezvous,
  signal: AbortSignal,
): Promise<ReceivedRequest<Question, Answer>> {
  const { id } = rendezvous
  const asked = await untilBox(signal, () => postWithoutProof(takeRendezvousRoute, { id }))
  const opened = await openBox({ rendezvous, topic, role: 'question' }, asked)
  return {
    question: parse(topic.question, opened),
    async answer(value) {
      const box = await sealBox({ rendezvous, topic, role: 'answer', question: asked }, value)
      await postWithoutProof(answerRendezvousRoute, { id, box })
    },
  }
}

function parse<Value>(schema: z.ZodMiniType<Value>, value: unknown): Value {
  const parsed = z.safeParse(schema, value)
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID')
  return parsed.data
}

/** Polls until a box arrives. Tolerates a lost connection. */
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
      if (!isUnreached(error)) throw error
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}
