import type { IncomingMessage } from 'node:http'
import { createFairRoom } from '../../shares/createFairRoom.ts'
import { clientAddress, getOrigin } from '../clientAddress.ts'

/** Calls `next` when the request and its body have arrived, or when its client has gone away. */
type Receive = (request: IncomingMessage, next: () => void) => void

/** The stream from which the framework reads a body. */
type Received = IncomingMessage & { rawBody?: Buffer }

/**
 * The memory that an unfinished request counts as, in addition to the received bytes of its body.
 */
const requestBytes = 65_536
const mebibyte = 1_048_576
/** Memory for unfinished requests. One client can have 128 of them, all clients together 1,024. */
const totalBytes = 64 * mebibyte
const perClientBytes = 8 * mebibyte

/** The length of a body that {@link createReceiver} has read. */
export const getBodyLength = (request: object | undefined): number =>
  (request as Partial<Received> | undefined)?.rawBody?.length ?? 0

/**
 * Receives the bodies of requests, so that only whole requests cost more than this memory. If it is
 * used up, the oldest unfinished request of the client with the most memory is disconnected. A body
 * that is longer than `bodyMaxBytes` is passed on as soon as that is known, for the response 413.
 */
export function createReceiver({
  bodyMaxBytes,
  trustedProxies,
}: {
  readonly bodyMaxBytes: number
  readonly trustedProxies: number
}): Receive {
  const perClient = Math.max(perClientBytes, 2 * (requestBytes + bodyMaxBytes))
  const room = createFairRoom({ total: Math.max(totalBytes, 4 * perClient), perClient })
  return (request, next) => {
    const { method, socket } = request
    const length = Number(request.headers['content-length'] ?? 0)
    const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined
    if (!hasBody || method === 'GET' || method === 'HEAD' || length > bodyMaxBytes) return next()
    const client = clientAddress(getOrigin(request), trustedProxies)
    const place = room.enter(client, () => socket.destroy(), requestBytes)
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = () => {
      request.off('data', add).off('end', finish).off('close', finish)
      place.leave()
      if (!request.destroyed || request.complete)
        (request as Received).rawBody = Buffer.concat(chunks)
      next()
    }
    const add = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bodyMaxBytes) {
        finish()
        request.resume()
      } else place.weigh(requestBytes + bytes)
    }
    request.on('data', add).once('end', finish).once('close', finish)
    // Without a listener, an upload that breaks off would end the process.
    request.on('error', () => {})
  }
}
