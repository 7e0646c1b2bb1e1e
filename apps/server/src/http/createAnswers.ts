import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { whenGone } from './whenGone.ts'

/** The bytes that one answer, or one socket, holds of what there is. */
export type Lease = {
  /** Holds so many more. False, and nothing changes, where there are not as many. */
  add(bytes: number): boolean
  /** Holds so many, and no more than these. False, and nothing changes, where there are not as many. */
  hold(bytes: number): boolean
  release(): void
}

/** All answers on their way to clients, in this process. */
export type Answers = {
  /**
   * Room for an answer to `client` (an address; undefined for our own reading), at first `bytes` of it. Undefined when there
   * is none: nothing is to be begun then.
   */
  open(client: string | undefined, bytes?: number): Lease | undefined
  /** Bytes held now: in all, or for one client. */
  held(client?: string): number
  /** From now on the lease holds what `response` has not sent yet, and its reader is watched. */
  send(response: ServerResponse, lease: Lease): void
  /** Once a second or so: drops who does not read. */
  sweep(): void
}

type Sending = {
  readonly socket: Socket
  readonly endsAtMs: number
  mark: number
  markedAtMs: number
}

/** What a common answer takes at most; it is held from the beginning, so that many at once are bounded too. */
const answerBytes = 65_536
/** Who takes nothing for so long, or less than so much a second over all, does not read. */
const stalledMs = 15_000
const bytesPerMs = 32

/** Counts what answers hold of `limits` and lets nothing go beyond them. */
export function createAnswers({
  clock,
  limits,
}: {
  readonly clock: () => number
  readonly limits: { readonly total: number; readonly perClient: number }
}): Answers {
  const byClient = new Map<string, number>()
  const sendings = new Set<Sending>()
  let all = 0

  const take = (client: string | undefined, more: number): boolean => {
    const own = client === undefined ? 0 : (byClient.get(client) ?? 0) + more
    if (more > 0 && (all + more > limits.total || own > limits.perClient)) return false
    all += more
    if (client === undefined) return true
    if (own > 0) byClient.set(client, own)
    else byClient.delete(client)
    return true
  }
  return {
    open(client, bytes = answerBytes) {
      if (all >= limits.total || !take(client, bytes)) return undefined
      let own = bytes
      let open = true
      return {
        hold(wanted) {
          if (!open || !take(client, wanted - own)) return false
          own = wanted
          return true
        },
        add(more) {
          return this.hold(own + more)
        },
        release() {
          this.hold(0)
          open = false
        },
      }
    },
    held: (client) => (client === undefined ? all : (byClient.get(client) ?? 0)),
    send(response, lease) {
      const { socket } = response.req
      const bytes = response.writableLength
      // What nothing is known of could be any size.
      if (!lease.hold(bytes)) return void socket.destroy()
      if (bytes === 0) return
      const nowMs = clock()
      const endsAtMs = nowMs + stalledMs + bytes / bytesPerMs
      const sending = { socket, endsAtMs, mark: unsent(socket), markedAtMs: nowMs }
      sendings.add(sending)
      whenGone(response, () => sendings.delete(sending))
    },
    sweep() {
      const nowMs = clock()
      for (const sending of sendings) {
        const mark = unsent(sending.socket)
        if (mark !== sending.mark) {
          sending.mark = mark
          sending.markedAtMs = nowMs
        }
        if (nowMs - sending.markedAtMs >= stalledMs || nowMs >= sending.endsAtMs)
          sending.socket.destroy()
      }
    },
  }
}

/** Of one write Node tells when all of it is sent; how much of it is, only the handle beneath knows. */
function unsent(socket: Socket): number {
  const { _handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null }
  return socket.writableLength + (_handle?.writeQueueSize ?? 0)
}
