import { LatchkeyError } from '@latchkey/wire'
import { expect, test, vi } from 'vitest'
import { approvalTopic as topic } from '../approval/approvalView.ts'
import { createRendezvous, formatRendezvous, parseRendezvous } from './rendezvous.ts'
import { requestThroughServer, takeRequest } from './sealedRendezvous.ts'

const view = {
  title: 'Sign a message',
  action: 'Sign',
  origin: 'https://shop.example',
  groups: [],
  rows: [],
  place: [],
  warnings: [],
}
const { signal } = new AbortController()
const invalid = expect.objectContaining({ code: 'ANSWER_INVALID' })

type Box = { box?: string }
type Server = {
  question?: string
  answer?: string
  change: (box: string, role: 'question' | 'answer') => string | undefined
}

/** A server that hands boxes on, changed as it likes. */
function openServer(): Server & { session: Parameters<typeof requestThroughServer>[0] } {
  const server: Server = { change: (box) => box }
  const serve = (path: string, body: Box): Box => {
    if (path.endsWith('/offer')) server.question = body.box ?? ''
    if (path.endsWith('/answer')) server.answer = body.box ?? ''
    const role = path.endsWith('/take')
      ? 'question'
      : path.endsWith('/await')
        ? 'answer'
        : undefined
    const held = role && server[role]
    const box = held && role && server.change(held, role)
    return box === undefined || box === '' ? {} : { box }
  }
  vi.stubGlobal('fetch', async (path: string, init: { body: string }) =>
    Response.json(serve(path, JSON.parse(init.body) as Box)),
  )
  const call = async ({ path }: { path: string }, body: Box) => serve(path, body)
  return Object.assign(server, {
    session: { call } as unknown as Parameters<typeof requestThroughServer>[0],
  })
}

async function meet(server: ReturnType<typeof openServer>, approved: boolean) {
  const rendezvous = createRendezvous()
  const asked = requestThroughServer(server.session, topic, { rendezvous, question: view, signal })
  asked.catch(() => {})
  const question = await takeRequest(
    topic,
    parseRendezvous(formatRendezvous(rendezvous)) ?? rendezvous,
    signal,
  )
  await question.answer({ approved })
  return { asked, question, rendezvous }
}

test('default: the window shows the question, and the frame gets its answer', async () => {
  for (const approved of [true, false]) {
    const server = openServer()
    const { asked, question } = await meet(server, approved)
    expect(question.question).toEqual(view)
    expect(await asked).toEqual({ approved })
    expect(`${server.question}${server.answer}`).not.toContain(btoa('Sign').slice(0, 4))
  }
})

test('blocked popup: inject: a server cannot forge an answer, nor change a bit of an answer', async () => {
  for (const change of [
    () => 'A'.repeat(80),
    (box: string) => `${box.slice(0, -4)}AAAA`,
    (box: string) => (box.startsWith('A') ? `B${box.slice(1)}` : `A${box.slice(1)}`),
    (box: string) => box.slice(0, 40),
  ]) {
    const server = openServer()
    server.change = (box, role) => (role === 'answer' ? change(box) : box)
    await expect((await meet(server, true)).asked).rejects.toEqual(invalid)
    server.change = (box, role) => (role === 'question' ? change(box) : box)
    await expect(meet(server, true)).rejects.toEqual(invalid)
  }
})

test('blocked popup: replayed or swapped answers, and questions that are sent back, are refused', async () => {
  const first = openServer()
  await (await meet(first, true)).asked
  const old = first.answer ?? ''
  const second = openServer()
  second.change = (box, role) => (role === 'answer' ? old : box)
  await expect((await meet(second, false)).asked).rejects.toEqual(invalid)
  const third = openServer()
  third.change = () => third.question
  await expect((await meet(third, false)).asked).rejects.toEqual(invalid)
  // An answer is bound to a box, even if the same question is sealed again in the same rendezvous.
  const server = openServer()
  const { asked, rendezvous } = await meet(server, true)
  expect(await asked).toEqual({ approved: true })
  const { answer } = server
  server.change = (box, role) => (role === 'answer' ? answer : box)
  const again = requestThroughServer(server.session, topic, { rendezvous, question: view, signal })
  await expect(again).rejects.toEqual(invalid)
  server.change = () => answer
  await expect(takeRequest(topic, rendezvous, signal)).rejects.toEqual(invalid)
})

test('blocked popup: without an answer nothing is approved, and a late answer is ignored', async () => {
  const server = openServer()
  server.change = (box, role) => (role === 'answer' ? undefined : box)
  const rendezvous = createRendezvous()
  const leaving = new AbortController()
  const asked = requestThroughServer(server.session, topic, {
    rendezvous,
    question: view,
    signal: leaving.signal,
  })
  const question = await takeRequest(topic, rendezvous, signal)
  await question.answer({ approved: true })
  leaving.abort()
  await expect(asked).rejects.toEqual(new LatchkeyError('ABORTED'))
})

test('error: another fragment is no rendezvous, and what was not decided is no decision', async () => {
  for (const text of ['', 'a.b', `${'A'.repeat(22)}.${'B'.repeat(42)}`, 'A'.repeat(66)])
    expect(parseRendezvous(text)).toBe(undefined)
  const server = openServer()
  const rendezvous = createRendezvous()
  const asked = requestThroughServer(server.session, topic, { rendezvous, question: view, signal })
  asked.catch(() => {})
  const { answer } = await takeRequest(topic, rendezvous, signal)
  await answer({ approved: 'yes' } as never)
  await expect(asked).rejects.toEqual(invalid)
})
