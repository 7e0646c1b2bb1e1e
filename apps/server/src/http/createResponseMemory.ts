import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { onResponseEnd } from './onResponseEnd.ts'

/** The part of the memory limit that one response, or one socket, holds. */
export type MemoryReservation = {
  readonly client: string | undefined
  /** Holds `bytes` more. Returns false and changes nothing if the limit would be exceeded. */
  add(bytes: number): boolean
  /** Holds exactly `bytes`. Returns false and changes nothing if the limit would be exceeded. */
  hold(bytes: number): boolean
  release(): void
}

/** The memory of all responses that this process is sending. */
export type ResponseMemory = {
  /**
   * Reserves memory for a response to `client` (an address; undefined for the server's own work),
   * at first `bytes`. Returns undefined if the limit is reached: do not begin the response then.
   */
  open(client: string | undefined, bytes?: number): MemoryReservation | undefined
  /** Bytes that are held now, in total or for one client. */
  held(client?: string): number
  /**
   * From now on the reservation follows the unsent bytes of `response`, and a reader that is too
   * slow is dropped.
   */
  send(response: ServerResponse, reservation: MemoryReservation): void
  /**
   * Drops the reader of `socket`, whose unsent bytes `reservation` holds, if it is too slow or
   * others need the memory more.
   */
  follow(socket: Socket, reservation: MemoryReservation): void
  /** Drops clients that do not read. Call it about once a second. */
  sweep(): void
  /**
   * The problem for `/ready`: answers were refused in the last minute because the memory was used
   * up.
   */
  trouble(): string | undefined
}

type Sending = {
  readonly socket: Socket
  readonly reservation: MemoryReservation
  /**
   * Bytes that the client had received, and bytes that waited for it, at the start of the window.
   */
  taken: number
  waiting: number
  beganAtMs: number
}

/**
 * The size of a common response. It is reserved from the beginning, so that many simultaneous
 * requests are bounded too.
 */
export const commonBytes = 65_536
/**
 * A client that receives less than this rate in a window, although more data waits, counts as not
 * reading.
 */
const windowMs = 15_000
const bytesPerMs = 32
const troubleMs = 60_000

/**
 * Accounts for the memory of responses and enforces `limits`. If the total is used up, the slowest
 * readers of the client that holds most give way to clients that hold less. Clients that hold
 * little may use an eighth more than the total, and the server's own work a quarter, so that
 * neither waits for the clients that use it up.
 */
export function createResponseMemory({
  clock,
  limits,
}: {
  readonly clock: () => number
  readonly limits: { readonly total: number; readonly perClient: number }
}): ResponseMemory {
  const byClient = new Map<string, number>()
  const sendings = new Set<Sending>()
  let all = 0
  let refusedAtMs = -Infinity

  const take: Take = (client, more) => {
    const own = client === undefined ? 0 : (byClient.get(client) ?? 0) + more
    if (more > 0 && (own > limits.perClient || !canReserve(client, more, own))) return false
    all += more
    if (client === undefined) return true
    if (own > 0) byClient.set(client, own)
    else byClient.delete(client)
    return true
  }
  /**
   * The total for a client that holds `own`: an eighth is kept for clients that hold little,
   * another for the server's own work.
   */
  function limitOf(client: string | undefined, own: number): number {
    if (client === undefined) return limits.total * 1.25
    return own <= limits.perClient / 16 ? limits.total * 1.125 : limits.total
  }
  function canReserve(client: string | undefined, more: number, own: number): boolean {
    while (all + more > limitOf(client, own)) {
      const sending = findHeaviest(own)
      if (sending === undefined) {
        refusedAtMs = clock()
        return false
      }
      drop(sending)
    }
    return true
  }
  /** The oldest response of the client that holds most, and more than `least`. */
  function findHeaviest(least: number): Sending | undefined {
    let heaviest: Sending | undefined
    let most = least
    for (const sending of sendings) {
      const held = byClient.get(sending.reservation.client ?? '') ?? 0
      if (held <= most) continue
      most = held
      heaviest = sending
    }
    return heaviest
  }
  function drop(sending: Sending): void {
    sendings.delete(sending)
    sending.reservation.release()
    sending.socket.destroy()
  }
  function watch(socket: Socket, reservation: MemoryReservation, waiting: number): Sending {
    const sending = { socket, reservation, waiting, taken: taken(socket), beganAtMs: clock() }
    sendings.add(sending)
    return sending
  }
  return {
    open(client, bytes = commonBytes) {
      if (!take(client, bytes)) return undefined
      return new HeldMemory(take, client, bytes)
    },
    held: (client) => (client === undefined ? all : (byClient.get(client) ?? 0)),
    send(response, reservation) {
      const { socket } = response.req
      const bytes = response.writableLength
      // Without a known size it could be any size.
      if (!reservation.hold(bytes)) return void socket.destroy()
      if (bytes === 0) return
      const sending = watch(socket, reservation, bytes)
      onResponseEnd(response, () => sendings.delete(sending))
    },
    follow(socket, reservation) {
      const sending = watch(socket, reservation, 0)
      socket.once('close', () => sendings.delete(sending))
    },
    sweep() {
      const nowMs = clock()
      for (const sending of sendings) {
        if (nowMs - sending.beganAtMs < windowMs) continue
        const { socket } = sending
        const now = taken(socket)
        const enough = Math.min(sending.waiting, windowMs * bytesPerMs)
        if (now - sending.taken < enough) drop(sending)
        Object.assign(sending, { beganAtMs: nowMs, taken: now, waiting: unsent(socket) })
      }
    },
    trouble: () =>
      clock() - refusedAtMs < troubleMs
        ? 'The memory for responses was used up: requests were refused in the last minute'
        : undefined,
  }
}

type Take = (client: string | undefined, more: number) => boolean

/**
 * A class, because each response has a reservation: an object with its own functions costs several
 * times as much memory.
 */
class HeldMemory implements MemoryReservation {
  private readonly take: Take
  readonly client: string | undefined
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

type Handle = { readonly writeQueueSize?: number; readonly bytesWritten?: number } | null

/**
 * Node reports only when a write is sent completely. The progress within a write is known to the
 * underlying handle alone.
 */
const handleOf = (socket: Socket) => (socket as { _handle?: Handle })._handle

/** Bytes that wait in this process for the client. */
const unsent = (socket: Socket) => socket.writableLength + (handleOf(socket)?.writeQueueSize ?? 0)

/** Bytes that the operating system has taken for the client. */
function taken(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = handleOf(socket) ?? {}
  return bytesWritten - writeQueueSize
}
