import { isError } from '@latchkey/wire'
import type { RelayStatus } from '../client.ts'
import { generateKey } from '../crypto/crypto.ts'
import { relayAddress } from './relayAddress.ts'
import { signRelayToken } from './relayAuth.ts'
import type { RelayClientParameters } from './relayClient.ts'
import { parseRelayTime, refusedCode, relayUnreachable, toRefusal } from './relayRefusal.ts'
import { openRelayTransport, type RelayTransport } from './relayTransport.ts'

/** A socket that leaves a request unanswered for this long is dead. */
const silenceMs = 15_000
const probeTimeoutMs = 3_000
const firstPauseMs = 100
const maxPauseMs = 30_000
/** After this many invalid frames the relay is disconnected. */
const maxIgnored = 100
/** After a connection of this length, the pauses between attempts start again at the shortest. */
const stableMs = 5_000
/**
 * How long a token is valid. With the relay's leeway of 120 s this limits how slow a clock can be
 * before the relay reports its time. Our proposals are valid for 300 s and must not expire before a
 * user has seen them.
 */
const tokenSeconds = 30
/** For a relay that refuses short tokens and does not report its time. */
const longTokenSeconds = 86_400

/** A socket to a relay. Reconnects when the connection is lost and still needed. */
export type RelaySocket = {
  /** Connects if that is due. */
  wake(): void
  /**
   * Sends a request. Without an open socket it is dropped, because `onOpen` sends everything
   * pending.
   */
  send(text: string): void
  status(): RelayStatus
  clockOffsetMs(): number
  revive(): void
  close(): void
}

type SocketParameters = Omit<RelayClientParameters, 'onMessage'> & {
  isNeeded(): boolean
  /** Sends everything pending: the socket is new, or must prove that it is alive. */
  onOpen(): void
  /**
   * Returns whether the frame is valid. `reply` sends a response on the same socket while it is
   * open.
   */
  onText(text: string, reply: (text: string) => void): boolean
  onStatus(status: RelayStatus): void
}

type SocketState = SocketParameters & {
  /** Random, the same in every token of this socket. */
  sub: string
  status: RelayStatus
  connection: Connection | undefined
  failures: number
  retry: Timer
  /** The relay's time, and the monotonic time when it was received. */
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
  /** The number of invalid frames. */
  ignored: number
}

/** Creates a socket without connecting; {@link RelaySocket.wake} connects when needed. */
export function createRelaySocket(parameters: SocketParameters): RelaySocket {
  const state: SocketState = {
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
    wake: () => state.status.status === 'idle' && dial(state),
    send: (text) => send(state, text),
    status: () => state.status,
    clockOffsetMs: () => getClockOffset(state),
    revive: () => revive(state),
    close() {
      state.isClosed = true
      clearTimeout(state.retry)
      hangUp(state)
      setStatus(state, { status: 'idle' })
    },
  }
}

function dial(state: SocketState): void {
  if (state.isClosed || state.connection) return
  clearTimeout(state.retry)
  if (!state.isNeeded()) {
    setStatus(state, { status: 'idle' })
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
  state.connection = connection
  setStatus(state, { status: 'connecting' })
  open(state, connection).catch((error: unknown) => {
    // Errors of platforms contain the address with the token.
    if (state.connection === connection)
      refuse(state, isError(error) ? error : relayUnreachable(state.url))
  })
}

async function open(state: SocketState, connection: Connection): Promise<void> {
  const { url, projectId, identity, now, sub } = state
  const iat = Math.floor((now() + getClockOffset(state)) / 1000)
  const token = await signRelayToken(identity, {
    sub,
    aud: url,
    iat,
    exp: iat + state.tokenSeconds,
  })
  if (state.connection !== connection) return
  connection.transport = openRelayTransport({
    address: relayAddress(url, token, projectId),
    WebSocket: state.WebSocket ?? WebSocket,
    onOpen() {
      connection.isOpen = true
      state.onOpen()
    },
    onFrame: (data) => receiveFrame(state, connection, data),
    onClose: (code, reason) => handleClose(state, connection, code, reason),
  })
}

function receiveFrame(state: SocketState, connection: Connection, data: unknown): void {
  connection.askedAtMs = undefined
  clearTimeout(connection.probe)
  connection.probe = undefined
  const reply = (text: string) => connection.transport?.send(text)
  if (typeof data !== 'string' || !state.onText(data, reply)) {
    connection.ignored += 1
    if (connection.ignored > maxIgnored) retryLater(state, connection)
    return
  }
  // Only a frame proves that the relay accepts us: a refusal comes after the socket has opened.
  connection.connectedAtMs ??= performance.now()
  setStatus(state, { status: 'connected' })
}

function send(state: SocketState, text: string): void {
  const { connection } = state
  if (!connection?.isOpen) return
  const nowMs = performance.now()
  connection.askedAtMs ??= nowMs
  if (nowMs - connection.askedAtMs >= silenceMs) retryLater(state, connection)
  else connection.transport?.send(text)
}

function handleClose(
  state: SocketState,
  connection: Connection,
  code: number,
  reason: string,
): void {
  const relayMs = parseRelayTime(reason)
  if (isStable(connection)) state.isClockTried = false
  if (code !== refusedCode) retryLater(state, connection)
  else if (relayMs !== undefined && !state.isClockTried) {
    state.clock = { relayMs, atMs: performance.now() }
    state.isClockTried = true
    redial(state)
  } else if (state.tokenSeconds === tokenSeconds && /expired/i.test(reason)) {
    state.tokenSeconds = longTokenSeconds
    redial(state)
  } else refuse(state, toRefusal(state.url, reason))
}

const isStable = ({ connectedAtMs }: Connection) =>
  connectedAtMs !== undefined && performance.now() - connectedAtMs >= stableMs

// Uses a monotonic clock: if the device's clock is corrected meanwhile, the old offset must not be
// applied to it.
function getClockOffset({ clock, now }: SocketState): number {
  return clock ? Math.round(clock.relayMs + performance.now() - clock.atMs - now()) : 0
}

function retryLater(state: SocketState, connection: Connection): void {
  if (isStable(connection)) startOver(state)
  hangUp(state)
  const pauseMs = Math.min(state.failures * 1000, maxPauseMs) * (0.75 + Math.random() / 4)
  state.failures += 1
  state.retry = setTimeout(() => dial(state), Math.max(pauseMs, firstPauseMs))
  const error = relayUnreachable(state.url)
  setStatus(state, state.isNeeded() ? { status: 'waiting', error } : { status: 'idle' })
}

function refuse(state: SocketState, error: Error): void {
  hangUp(state)
  setStatus(state, { status: 'refused', error })
}

function hangUp(state: SocketState): void {
  const { connection } = state
  state.connection = undefined
  clearTimeout(connection?.probe)
  connection?.transport?.close()
}

function revive(state: SocketState): void {
  const { connection } = state
  startOver(state)
  if (!connection) dial(state)
  else if (connection.isOpen && !connection.probe) {
    connection.probe = setTimeout(() => redial(state), probeTimeoutMs)
    state.onOpen()
  }
}

// The monotonic clock of a sleeping device may stop, so the relay's time is needed again.
function startOver(state: SocketState): void {
  state.failures = 0
  state.isClockTried = false
}

function redial(state: SocketState): void {
  hangUp(state)
  dial(state)
}

function setStatus(state: SocketState, status: RelayStatus): void {
  if (state.status.status === status.status) return
  state.status = status
  state.onStatus(status)
}
