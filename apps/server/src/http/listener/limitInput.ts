import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { createFairRoom, type FairShare } from '../../shares/createFairRoom.ts'

/** The unfinished message of one WebSocket. */
export type Input = {
  /**
   * Call about once a second: counts the received part of the message. Returns whether the client
   * has been sending it for too long.
   */
  isLate(): boolean
}

/** From this size, an unfinished message counts at once, and not only at the next sweep. */
const freeBytes = 65_536
const mebibyte = 1_048_576
/** Memory for unfinished messages, of all WebSockets and of one client. */
const limits = { total: 128 * mebibyte, perClient: 16 * mebibyte }
const messageMs = 30_000

type Watched = { readonly client: string; readonly stream: Socket; readonly socket: WebSocket }

/**
 * Limits the memory of messages whose end has not arrived: if it is used up, the oldest unfinished
 * message of the client with the most memory is dropped, and its socket ends.
 */
export function limitInput(clock: () => number) {
  const room = createFairRoom(limits)
  return ({ client, stream, socket }: Watched): Input => {
    let finishedAt = stream.bytesRead
    let place: FairShare | undefined
    let begunAtMs = Infinity
    const finish = () => {
      finishedAt = stream.bytesRead
      place?.leave()
      place = undefined
      begunAtMs = Infinity
    }
    const count = (bytes: number) => {
      if (place === undefined) {
        begunAtMs = clock()
        place = room.enter(client, () => socket.terminate(), 0)
      }
      place.weigh(bytes)
    }
    stream.on('data', () => {
      const bytes = stream.bytesRead - finishedAt
      if (bytes > freeBytes) count(bytes)
    })
    socket.on('message', finish)
    socket.on('close', finish)
    // Control frames count only with their own size: otherwise the control frames of many hours
    // would add up.
    socket.on('pong', () => {
      if (place === undefined) finish()
    })
    return {
      isLate() {
        const bytes = getUnfinished(socket)
        if (bytes > 0)
          count(Math.max(bytes, place === undefined ? 0 : stream.bytesRead - finishedAt))
        return clock() - begunAtMs >= messageMs
      },
    }
  }
}

/** Private fields of the `ws` library: its API does not show unfinished messages. */
type Receiver = { readonly _bufferedBytes?: number; readonly _messageLength?: number }

/** The received bytes of an unfinished message. */
function getUnfinished(socket: WebSocket): number {
  const { _receiver: receiver } = socket as { readonly _receiver?: Receiver }
  return (receiver?._bufferedBytes ?? 0) + (receiver?._messageLength ?? 0)
}
