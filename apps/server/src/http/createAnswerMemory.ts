import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { onResponseEnd } from './onResponseEnd.ts'

/** The part of the memory limit that one answer, or one socket, holds. */
export type Lease = {
  /** Holds `bytes` more. Returns false and changes nothing if the limit would be exceeded. */
  add(bytes: number): boolean
  /** Holds exactly `bytes`. Returns false and changes nothing if the limit would be exceeded. */
  hold(bytes: number): boolean
  release(): void
}

/** The memory of all answers that this process is sending. */
export type AnswerMemory = {
  /**
   * Reserves memory for an answer to `client` (an address; undefined for the server's own work), at first `bytes`. Returns
   * undefined if the limit is reached: do not begin the answer then.
   */
  open(client: string | undefined, bytes?: number): Lease | undefined
  /** Bytes that are held now, in total or for one client. */
  held(client?: string): number
  /** From now on the lease follows the unsent bytes of `response`, and a reader that is too slow is dropped. */
  send(response: ServerResponse, lease: Lease): void
  /** Drops clients that do not read. Call it about once a second. */
  sweep(): void
}

type Sending = {
  readonly socket: Socket
  readonly endsAtMs: number
  mark: number
  markedAtMs: number
}

/** The size of a common answer. It is reserved from the beginning, so that many simultaneous requests are bounded too. */
const answerBytes = 65_536
/** A client that takes nothing for this time, or less than this rate on average, counts as not reading. */
const stalledMs = 15_000
const bytesPerMs = 32

/** Accounts for the memory of answers and enforces `limits`. */
export function createAnswerMemory({
  clock,
  limits,
}: {
  readonly clock: () => number
  readonly limits: { readonly total: number; readonly perClient: number }
}): AnswerMemory {
  const byClient = new Map<string, number>()
  const sendings = new Set<Sending>()
  let all = 0

  const take: Take = (client, more) => {
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
      return new HeldLease(take, client, bytes)
    },
    held: (client) => (client === undefined ? all : (byClient.get(client) ?? 0)),
    send(response, lease) {
      const { socket } = response.req
      const bytes = response.writableLength
      // Without a known size it could be any size.
      if (!lease.hold(bytes)) return void socket.destroy()
      if (bytes === 0) return
      const nowMs = clock()
      const endsAtMs = nowMs + stalledMs + bytes / bytesPerMs
      const sending = { socket, endsAtMs, mark: unsent(socket), markedAtMs: nowMs }
      sendings.add(sending)
      onResponseEnd(response, () => sendings.delete(sending))
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

type Take = (client: string | undefined, more: number) => boolean

/** A class, since each answer has one: an object with functions of its own costs several times as much. */
class HeldLease implements Lease {
  private readonly take: Take
  private readonly client: string | undefined
  private bytes: number
  private isOpen = true
  constructor(take: Take, client: string | undefined, bytes: number) {
    this.take = take
    this.client = client
    this.bytes = bytes
  }
  hold(bytes: number): boolean {
    if (!this.isOpen || !this.take(this.client, bytes - this.bytes)) return false
    this.bytes = bytes
    return true
  }
  add(more: number): boolean {
    return this.hold(this.bytes + more)
  }
  release(): void {
    this.hold(0)
    this.isOpen = false
  }
}

/** Node reports only when a write is sent completely. The progress within a write is known to the underlying handle alone. */
function unsent(socket: Socket): number {
  const { _handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null }
  return socket.writableLength + (_handle?.writeQueueSize ?? 0)
}
