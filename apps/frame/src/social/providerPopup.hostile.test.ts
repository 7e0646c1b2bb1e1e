import { LatchkeyError, type SocialPurpose } from '@latchkey/wire'
import { expect, test, vi } from 'vitest'
import { approvalTopic } from '../approval/approvalView.ts'
import type { LoginSession } from '../auth/loginSession.ts'
import { createRendezvous, type Rendezvous } from '../rendezvous/rendezvous.ts'
import { requestThroughServer, type Topic, takeRequest } from '../rendezvous/sealedRendezvous.ts'
import { allowProviderPopup, enterProviderPopup } from './providerPopup.ts'
import { providerPopupTopic } from './providerPopupTopic.ts'

const origin = 'https://shop.example'
const tx = 'A'.repeat(22)
const challenge = 'C'.repeat(43)
const { signal } = new AbortController()
const provider = 'github' as const
const code = (code: string) => expect.objectContaining({ code })

type Body = { id: string; box: string; tx: string; challenge: string; page?: string }
type Boxes = Record<'questions' | 'answers', Map<string, string>>
type Lies = {
  /** The server's report of a login whose window has reported. */
  opened?: object
  /** Returns the box that the server hands out in place of the real box. */
  hand?: (box: string, role: keyof Boxes, boxes: Boxes) => string
}

/** A server that keeps the rules of each call except for its lies. */
function openServer(lies: Lies = {}) {
  const boxes: Boxes = { questions: new Map(), answers: new Map() }
  const calls: string[] = []
  const confirmed: unknown[] = []
  const hand = (role: keyof Boxes, id: string) => {
    const box = boxes[role].get(id)
    if (box === undefined) return {}
    return { box: lies.hand?.(box, role, boxes) ?? box }
  }
  const put = (role: keyof Boxes, { id, box }: Body) => {
    if (boxes[role].has(id)) throw new LatchkeyError('LOGIN_ENDED')
    boxes[role].set(id, box)
    return {}
  }
  const serve = (path: string, body: Body): object => {
    calls.push(path.split('/').slice(-2).join('/'))
    if (path.endsWith('/offer')) return put('questions', body)
    if (path.endsWith('/answer')) return put('answers', body)
    if (path.endsWith('/take')) return hand('questions', body.id)
    if (path.endsWith('/await')) return hand('answers', body.id)
    // It opens no confirmation for the page of plain sign-ins.
    if (path.endsWith('/social/open') && body.page !== 'visit')
      throw new LatchkeyError('LOGIN_ENDED')
    if (path.endsWith('/social/open')) return lies.opened ?? { challenge, provider, origin }
    if (body.tx !== tx || body.challenge !== challenge) throw new LatchkeyError('LOGIN_ENDED')
    confirmed.push(body)
    return {}
  }
  const listen = () =>
    vi.stubGlobal('fetch', async (path: string, init: { body: string }) => {
      try {
        return Response.json(serve(path, JSON.parse(init.body)))
      } catch (error) {
        const { code } = error as LatchkeyError
        return Response.json({ status: 'FAILED', code, data: {}, reasons: [] }, { status: 410 })
      }
    })
  listen()
  const call = async ({ path }: { path: string }, body: Body) => serve(path, body)
  return { session: { call } as unknown as LoginSession, boxes, calls, confirmed, listen }
}

/** Seals an answer in this rendezvous, through a separate server, and returns its box. */
async function forge<Question, Answer>(
  topic: Topic<Question, Answer>,
  { rendezvous, question }: { rendezvous: Rendezvous; question: Question },
  answered: Answer,
): Promise<string> {
  const server = openServer()
  const leaving = new AbortController()
  requestThroughServer(server.session, topic, {
    rendezvous,
    question,
    signal: leaving.signal,
  }).catch(() => {})
  const { answer } = await takeRequest(topic, rendezvous, signal)
  await answer(answered)
  leaving.abort()
  return server.boxes.answers.get(rendezvous.id) ?? ''
}

/** A frame that waits for the window of a rendezvous. */
function wait(
  server: ReturnType<typeof openServer>,
  login: { tx: string; url?: string } = { tx },
  purpose?: SocialPurpose,
) {
  const rendezvous = createRendezvous()
  const visit = {
    login: { url: undefined, ...login },
    provider,
    origin,
    purpose,
    rendezvous,
    signal,
  }
  const met = allowProviderPopup(server.session, visit)
  met.catch(() => {})
  return { rendezvous, met }
}

test('default: the window of a frame receives its login, and continues once the frame has confirmed it', async () => {
  const server = openServer()
  const { rendezvous, met } = wait(server)
  expect(await enterProviderPopup(rendezvous, signal)).toEqual({
    address: '/oauth/start',
    login: { provider, origin, purpose: 'login' },
  })
  await met
  expect(server.confirmed).toEqual([{ tx, challenge }])
  // The server reads none of it.
  const [sealed] = [...server.boxes.questions.values(), ...server.boxes.answers.values()].map(
    (box) => Buffer.from(box, 'base64url').toString('latin1'),
  )
  expect(sealed).not.toContain(tx)
})

test('param: the window learns what the login is for; a frame from before does not say it', async () => {
  for (const purpose of ['step-up', 'link'] as const) {
    const server = openServer()
    const { login } = await enterProviderPopup(wait(server, { tx }, purpose).rendezvous, signal)
    expect(login?.purpose).toBe(purpose)
  }
  expect(providerPopupTopic.question.parse({ tx, provider, origin })).toMatchObject({
    purpose: 'login',
  })
})

test('blocked popup: a server that opens the login of another provider or site leads nowhere', async () => {
  for (const opened of [
    { challenge, provider: 'google', origin },
    { challenge, provider, origin: 'https://evil.example' },
    { challenge: 'short', provider, origin },
    {},
  ]) {
    const server = openServer({ opened })
    const { rendezvous } = wait(server)
    await expect(enterProviderPopup(rendezvous, signal)).rejects.toEqual(code('ANSWER_INVALID'))
    expect(server.calls).not.toContain('rendezvous/answer')
    expect(server.confirmed).toEqual([])
  }
})

test('blocked popup: a replayed or swapped answer, also of another request of this frame, confirms nothing', async () => {
  const old = openServer()
  const before = wait(old)
  await enterProviderPopup(before.rendezvous, signal)
  await before.met
  const [replayed = ''] = old.boxes.answers.values()
  const replaying = openServer({ hand: (box, role) => (role === 'answers' ? replayed : box) })
  const one = wait(replaying)
  await enterProviderPopup(one.rendezvous, signal)
  await expect(one.met).rejects.toEqual(code('ANSWER_INVALID'))
  expect(replaying.confirmed).toEqual([])

  const swapping = openServer({
    hand: (box, role, { answers }) =>
      role === 'answers' ? ([...answers.values()].find((other) => other !== box) ?? '') : box,
  })
  const [first, second] = [wait(swapping), wait(swapping)]
  await Promise.all([
    enterProviderPopup(first.rendezvous, signal),
    enterProviderPopup(second.rendezvous, signal),
  ])
  await expect(first.met).rejects.toEqual(code('ANSWER_INVALID'))
  await expect(second.met).rejects.toEqual(code('ANSWER_INVALID'))
  expect(swapping.confirmed).toEqual([])
})

test('blocked popup: refuses a question of another window, or an answer from another rendezvous', async () => {
  const swapping = openServer({
    hand: (box, role, { questions }) =>
      role === 'questions' ? ([...questions.values()].find((other) => other !== box) ?? box) : box,
  })
  const [first] = [wait(swapping), wait(swapping)]
  await expect(enterProviderPopup(first.rendezvous, signal)).rejects.toEqual(code('ANSWER_INVALID'))
  expect(swapping.calls).not.toContain('social/open')

  // An attacker who knows the id of a rendezvous (the server does), but not its secret.
  const server = openServer()
  const { rendezvous, met } = wait(server)
  const guess = { ...createRendezvous(), id: rendezvous.id }
  const forged = await forge(
    providerPopupTopic,
    { rendezvous: guess, question: { tx, provider, origin, purpose: 'login' } },
    { challenge },
  )
  server.boxes.answers.set(rendezvous.id, forged)
  server.listen()
  await expect(met).rejects.toEqual(code('ANSWER_INVALID'))
  await expect(enterProviderPopup(guess, signal)).rejects.toEqual(code('ANSWER_INVALID'))
  expect(server.confirmed).toEqual([])
})

test('blocked popup: an answer that arrives twice counts once', async () => {
  const server = openServer()
  const { rendezvous, met } = wait(server)
  const { answer } = await takeRequest(providerPopupTopic, rendezvous, signal)
  await answer({ challenge })
  await expect(answer({ challenge: 'D'.repeat(43) })).rejects.toEqual(code('LOGIN_ENDED'))
  await met
  expect(server.confirmed).toEqual([{ tx, challenge }])
})

test('login begun by others: a window with another challenge, or without one, confirms nothing', async () => {
  for (const [answered, failure] of [
    [{ challenge: 'D'.repeat(43) }, 'LOGIN_ENDED'],
    [{ challenge: '' }, 'ANSWER_INVALID'],
    [{}, 'ANSWER_INVALID'],
  ] as const) {
    const server = openServer()
    const { rendezvous, met } = wait(server)
    await (await takeRequest(providerPopupTopic, rendezvous, signal)).answer(answered)
    await expect(met).rejects.toEqual(code(failure))
    expect(server.confirmed).toEqual([])
  }
})

test('blocked popup: an approval’s answer is not accepted for a sign-in with the same secret', async () => {
  const server = openServer()
  const { rendezvous, met } = wait(server)
  await expect(takeRequest(approvalTopic, rendezvous, signal)).rejects.toEqual(
    code('ANSWER_INVALID'),
  )
  const view = { title: '', action: '', origin, groups: [], rows: [], place: [], warnings: [] }
  const forged = await forge(approvalTopic, { rendezvous, question: view }, { challenge } as never)
  server.boxes.answers.set(rendezvous.id, forged)
  await expect(met).rejects.toEqual(code('ANSWER_INVALID'))
})

test('behavior: the window goes to Farcaster’s page, and to nothing but a page of the web', async () => {
  const server = openServer()
  const url = 'https://farcaster.example/~/sign-in?channel=x'
  const { rendezvous, met } = wait(server, { tx, url })
  expect(await enterProviderPopup(rendezvous, signal)).toEqual({ address: url })
  await met
  expect(server.calls).not.toContain('social/open')
  expect(server.confirmed).toEqual([])
  for (const evil of ['javascript:alert(1)//https://x', 'data:text/html,x', '/approve', '']) {
    const lying = openServer()
    const asked = createRendezvous()
    const asking = { rendezvous: asked, question: { url: evil }, signal }
    requestThroughServer(lying.session, providerPopupTopic, asking).catch(() => {})
    await expect(enterProviderPopup(asked, signal)).rejects.toEqual(code('ANSWER_INVALID'))
  }
})
