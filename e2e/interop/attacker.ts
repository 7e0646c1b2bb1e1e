import { once } from 'node:events'
import { generateIdentity, signRelayToken } from '@latchkey/walletconnect'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** A message that the relay delivered. */
type Delivery = { topic: string; message: string; tag: number }

/** A client of the relay that follows no protocol above it. */
export type Attacker = {
  /** Returns the relay's response, result or error. */
  call(method: string, params: unknown): Promise<{ result?: unknown; error?: { code: number } }>
  publish: (
    topic: string,
    message: string,
    tag?: number,
  ) => Promise<{ result?: unknown; error?: { code: number } }>
  heard: readonly Delivery[]
  /** Resolves when the relay has closed the connection. */
  closed: Promise<void>
}

/** The URL with a token, in the form that clients use. */
export const addressOf = (relayUrl: string, token: string, rest = '&useOnCloseEvent=true') =>
  `${relayUrl}/?auth=${token}&projectId=local&ua=wc-2%2Fjs-0.0.0%2Ftest${rest}`

/** Connects to the relay; ends with the test. */
export async function createAttacker(relayUrl: string): Promise<Attacker> {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: '00'.repeat(32), aud: relayUrl, iat }
  const token = await signRelayToken(await generateIdentity(), claims)
  const socket = new WebSocket(addressOf(relayUrl, token))
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const heard: Delivery[] = []
  const waiting = new Map<number, (answer: object) => void>()
  let lastId = 1e15
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    // The response to an unreadable frame does not contain its id.
    waiting.get(frame.id === 0 ? lastId : frame.id)?.(frame)
    if (frame.method !== 'irn_subscription') return
    heard.push(frame.params.data)
    socket.send(JSON.stringify({ id: frame.id, jsonrpc: '2.0', result: true }))
  })
  const call: Attacker['call'] = (method, params) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, jsonrpc: '2.0', method, params }))
    })
  return {
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    call,
    publish: (topic, message, tag = 1108) =>
      call('irn_publish', { topic, message, tag, ttl: 300, prompt: true }),
    heard,
  }
}
