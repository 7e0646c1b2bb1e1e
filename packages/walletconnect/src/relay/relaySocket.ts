import { isError } from '@latchkey/wire'
import type { RelayStatus } from '../client.ts'
import { generateKey } from '../crypto/crypto.ts'
import type { RelayParameters } from './relay.ts'
import { relayAddress } from './relayAddress.ts'
import { signRelayToken } from './relayAuth.ts'
import { refusalOf, refusedCode, timeOf, unreachable } from './relayRefusal.ts'
import { openRelayTransport, type RelayTransport } from './relayTransport.ts'

/** A socket that leaves a request without any answer for so long is dead. */
const silenceMs = 15_000
const probeTimeoutMs = 3_000
const firstPauseMs = 100
const maxPauseMs = 30_000
/** A relay that says so much without sense is left. */
const maxIgnored = 100
/** After a connection of this length the pauses start over. */
const stableMs = 5_000
/**
 * How long a token holds. With the relay's leeway of 120 s it bounds how slow a clock can be before the relay tells its
 * time: what we offer lives 300 s, and must not be over before anybody has seen it.
 */
const tokenSeconds = 30
/** For a relay that refuses those and does not tell its time. */
const longTokenSeconds = 86_400

/** A socket to a relay that is opened again whenever it is lost and somebody needs it. */
export type RelaySocket = {
  /** Dials if that is due. */
  wake(): void
  /** Sends a request; without an open socket it is dropped, as `onOpen` sends what is wanted. */
  send(text: string): void
  status(): RelayStatus
  clockOffsetMs(): number
  revive(): void
  close(): void
}

type SocketParameters = Omit<RelayParameters, 'onMessage'> & {
  isNeeded(): boolean
  /** Time to send all that is wanted: the socket is new, or must prove that it lives. */
  onOpen(): void
  /** Whether the text makes sense. `reply` answers on the same socket, as long as it is there. */
  onText(text: string, reply: (text: string) => void): boolean
  onStatus(status: RelayStatus): void
}

type Line = SocketParameters & {
  /** Random, the same in every token of this line. */
  sub: string
  status: RelayStatus
  connection: Connection | undefined
  failures: number
  retry: Timer
  /** The relay's time, and the monotonic time at which it was learned. */
  clock: { relayMs: number; atMs: number } | undefined
  isClockTried: boolean
  tokenSeconds: number
  isClosed: boolean
}

type Timer = ReturnType<typeof setTimeout> | undefined

type Connection = {
  transport: RelayTransport | undefined
  isOpen: boolean
  /** Monotonic times. */
  connectedAtMs: number | undefined
  askedAtMs: number | undefined
  probe: Timer
  /** Frames that made no sense. */
  ignored: number
}

/** Nothing is dialled yet: {@link RelaySocket.wake} does, when it is needed. */
export function createRelaySocket(parameters: SocketParameters): RelaySocket {
  const line: Line = {
    ...parameters,
    sub: generateKey(),
    status: { status: 'idle' },
    connection: undefined,
    failures: 0,
    retry: undefined,
    clock: undefined,
    isClockTried: false,
    tokenSeconds,
    isClosed: false,
  }
  return {
    wake: () => line.status.status === 'idle' && dial(line),
    send: (text) => send(line, text),
    status: () => line.status,
    clockOffsetMs: () => offsetOf(line),
    revive: () => revive(line),
    close() {
      line.isClosed = true
      clearTimeout(line.retry)
      hangUp(line)
      setStatus(line, { status: 'idle' })
    },
  }
}

function dial(line: Line): void {
  if (line.isClosed || line.connection) return
  clearTimeout(line.retry)
  if (!line.isNeeded()) {
    setStatus(line, { status: 'idle' })
    return
  }
  const connection: Connection = {
    transport: undefined,
    isOpen: false,
    connectedAtMs: undefined,
    askedAtMs: undefined,
    probe: undefined,
    ignored: 0,
  }
  line.connection = connection
  setStatus(line, { status: 'connecting' })
  open(line, connection).catch((error: unknown) => {
    // What platforms throw names the address with the token.
    if (line.connection === connection) refuse(line, isError(error) ? error : unreachable(line.url))
  })
}

async function open(line: Line, connection: Connection): Promise<void> {
  const { url, projectId, identity, now, sub } = line
  const iat = Math.floor((now() + offsetOf(line)) / 1000)
  const token = await signRelayToken(identity, { sub, aud: url, iat, exp: iat + line.tokenSeconds })
  if (line.connection !== connection) return
  connection.transport = openRelayTransport({
    address: relayAddress(url, token, projectId),
    WebSocket: line.WebSocket ?? WebSocket,
    onOpen() {
      connection.isOpen = true
      line.onOpen()
    },
    onFrame: (data) => hear(line, connection, data),
    onClose: (code, reason) => closed(line, connection, code, reason),
  })
}

function hear(line: Line, connection: Connection, data: unknown): void {
  connection.askedAtMs = undefined
  clearTimeout(connection.probe)
  connection.probe = undefined
  const reply = (text: string) => connection.transport?.send(text)
  if (typeof data !== 'string' || !line.onText(data, reply)) {
    connection.ignored += 1
    if (connection.ignored > maxIgnored) lose(line, connection)
    return
  }
  // Only what it says proves that it has us: a refusal comes after the socket has opened.
  connection.connectedAtMs ??= performance.now()
  setStatus(line, { status: 'connected' })
}

function send(line: Line, text: string): void {
  const { connection } = line
  if (!connection?.isOpen) return
  const nowMs = performance.now()
  connection.askedAtMs ??= nowMs
  if (nowMs - connection.askedAtMs >= silenceMs) lose(line, connection)
  else connection.transport?.send(text)
}

function closed(line: Line, connection: Connection, code: number, reason: string): void {
  const relayMs = timeOf(reason)
  if (isStable(connection)) line.isClockTried = false
  if (code !== refusedCode) lose(line, connection)
  else if (relayMs !== undefined && !line.isClockTried) {
    line.clock = { relayMs, atMs: performance.now() }
    line.isClockTried = true
    redial(line)
  } else if (line.tokenSeconds === tokenSeconds && /expired/i.test(reason)) {
    line.tokenSeconds = longTokenSeconds
    redial(line)
  } else refuse(line, refusalOf(line.url, reason))
}

const isStable = ({ connectedAtMs }: Connection) =>
  connectedAtMs !== undefined && performance.now() - connectedAtMs >= stableMs

// Counted from a monotonic clock: a device whose clock is put right meanwhile must not be off by the same again.
function offsetOf({ clock, now }: Line): number {
  return clock ? Math.round(clock.relayMs + performance.now() - clock.atMs - now()) : 0
}

function lose(line: Line, connection: Connection): void {
  if (isStable(connection)) startOver(line)
  hangUp(line)
  const pauseMs = Math.min(line.failures * 1000, maxPauseMs) * (0.75 + Math.random() / 4)
  line.failures += 1
  line.retry = setTimeout(() => dial(line), Math.max(pauseMs, firstPauseMs))
  const error = unreachable(line.url)
  setStatus(line, line.isNeeded() ? { status: 'waiting', error } : { status: 'idle' })
}

function refuse(line: Line, error: Error): void {
  hangUp(line)
  setStatus(line, { status: 'refused', error })
}

function hangUp(line: Line): void {
  const { connection } = line
  line.connection = undefined
  clearTimeout(connection?.probe)
  connection?.transport?.close()
}

function revive(line: Line): void {
  const { connection } = line
  startOver(line)
  if (!connection) dial(line)
  else if (connection.isOpen && !connection.probe) {
    connection.probe = setTimeout(() => redial(line), probeTimeoutMs)
    line.onOpen()
  }
}

// Asleep a device may lose count of the relay's time.
function startOver(line: Line): void {
  line.failures = 0
  line.isClockTried = false
}

function redial(line: Line): void {
  hangUp(line)
  dial(line)
}

function setStatus(line: Line, status: RelayStatus): void {
  if (line.status.status === status.status) return
  line.status = status
  line.onStatus(status)
}
