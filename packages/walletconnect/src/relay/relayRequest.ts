import { LatchkeyError } from '@latchkey/wire'
import { formatRpc, newRpcId, type RpcResponse } from '../jsonRpc.ts'
import type { RelayClientParameters } from './relayClient.ts'
import { relayRefused, relayUnreachable } from './relayRefusal.ts'
import type { RelaySocket } from './relaySocket.ts'

const repeatMs = 5_000
const maxTries = 12

/** The calls that wait for the relay's response. */
export type Requests = {
  parameters: RelayClientParameters
  socket: RelaySocket
  pending: Map<number, Pending>
  lastId: number
  isClosed: boolean
}

/** A call to the relay. */
export type RelayCall = {
  method: string
  params: unknown
  /** Topics that the call subscribes to. */
  topics?: readonly string[]
  signal?: AbortSignal | undefined
}

type Pending = {
  call: RelayCall
  text: string
  /** Why the relay has not responded to the call yet. */
  failure?: LatchkeyError
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * Sends a request to the relay for up to a minute, with the same id and body, every 5 s and on each
 * new socket. Throws RELAY_UNREACHABLE (also if the relay failed all that time), RELAY_REFUSED,
 * METHOD_NOT_FOUND, ABORTED.
 */
export function requestRelay(requests: Requests, call: RelayCall): Promise<unknown> {
  const { socket, parameters, pending, isClosed } = requests
  const { method, params, signal } = call
  return new Promise((resolve, reject) => {
    if (isClosed || signal?.aborted) throw new LatchkeyError('ABORTED')
    const status = socket.status()
    if (status.status === 'refused') throw status.error
    const id = Math.max(newRpcId(parameters.now(), Math.random), requests.lastId + 1)
    requests.lastId = id
    const end = () => {
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
      pending.delete(id)
    }
    const entry: Pending = {
      call,
      text: formatRpc({ id, method, params }),
      resolve(result) {
        end()
        resolve(result)
      },
      reject(error) {
        end()
        reject(error)
      },
    }
    const abort = () => entry.reject(new LatchkeyError('ABORTED'))
    let tries = 0
    const timer = setInterval(() => {
      tries += 1
      if (tries < maxTries) socket.send(entry.text)
      else entry.reject(relayUnreachable(parameters.url, entry.failure))
    }, repeatMs)
    signal?.addEventListener('abort', abort)
    pending.set(id, entry)
    socket.wake()
    socket.send(entry.text)
  })
}

/** Handles the relay's response to a request. */
export function settleCall({ pending, parameters }: Requests, answer: RpcResponse): void {
  const entry = pending.get(Number(answer.id))
  // A late response to a repeated request.
  if (entry === undefined) return
  if ('result' in answer) entry.resolve(answer.result)
  else {
    const { code, message, data } = answer.error
    const { method } = entry.call
    entry.failure = relayRefused(parameters.url, message)
    // Too many requests or an internal error: may succeed next time, unless it is about the ttl.
    const isPassing = [3001, -32000, -32603].includes(code) && !String(data).startsWith('Ttl')
    if (code === -32601) entry.reject(new LatchkeyError('METHOD_NOT_FOUND', { data: { method } }))
    else if (!isPassing) entry.reject(entry.failure)
  }
}

/** Rejects all pending calls. */
export function rejectAll({ pending }: Requests, error: Error): void {
  for (const entry of [...pending.values()]) entry.reject(error)
}
