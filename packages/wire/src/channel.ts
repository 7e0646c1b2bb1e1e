import * as z from 'zod/mini'
import {
  type Draft,
  type EventData,
  type EventName,
  type Greeting,
  greeting,
  type Message,
  type Method,
  message,
  type Params,
  type Protocol,
  packError,
  parseText,
  parseValue,
  type Result,
  unpackError,
} from './channelProtocol.ts'
import { LatchkeyError } from './errors.ts'

/** The window this code runs in. */
type Here = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** The other window, as a reference to one of another origin allows. */
type There = {
  readonly closed: boolean
  postMessage(text: string, targetOrigin: string, transfer?: Transferable[]): void
}

export type Limits = {
  /** Longest message, in UTF-16 units of its JSON. */
  readonly maxLength: number
  /** Most requests open at one time. */
  readonly maxPending: number
}

const defaultLimits: Limits = { maxLength: 1_048_576, maxPending: 64 }
const defaultTimeoutMs = 30_000
const greetingMaxLength = 200
const closedPollMs = 250

export type RequestOptions = {
  /** `null` waits as long as it takes: for requests a person decides. */
  timeoutMs?: number | null
  signal?: AbortSignal
}

/** The asking side. */
export type Channel<P extends Protocol> = {
  /** Origin of the other window, verified. */
  readonly origin: string
  /** Fires once the channel is closed, by whichever side. */
  readonly closed: AbortSignal
  /** Throws INVALID_PARAMS, ANSWER_INVALID, TIMEOUT, ABORTED, CHANNEL_CLOSED, CHANNEL_BUSY, MESSAGE_TOO_LARGE, and what the other side threw. */
  request<M extends Method<P>>(
    method: M,
    params: Params<P, M>,
    options?: RequestOptions,
  ): Promise<Result<P, M>>
  close(): void
}

/** The serving side. */
export type ServedChannel<P extends Protocol> = {
  readonly origin: string
  readonly closed: AbortSignal
  emit<E extends EventName<P>>(name: E, data: EventData<P, E>): void
  close(): void
}

export type Handlers<P extends Protocol> = {
  readonly [M in Method<P>]: (
    params: Params<P, M>,
    context: { signal: AbortSignal },
  ) => Result<P, M> | Promise<Result<P, M>>
}

type Port = {
  readonly closed: AbortSignal
  send(draft: Draft): void
  close(): void
}

/**
 * Asks another window for a channel. Call it in the task that makes the window (`window.open`, an iframe put into the
 * page), before that window can have loaded: it speaks first. Only messages of exactly `target` at exactly `targetOrigin` count.
 * Throws TIMEOUT, ABORTED, CHANNEL_CLOSED (the window went away) and INVALID_PARAMS (an origin that is none).
 */
export function openChannel<P extends Protocol>(parameters: {
  window: Here
  target: There
  targetOrigin: string
  protocol: P
  onEvent?: <E extends EventName<P>>(name: E, data: EventData<P, E>) => void
  signal?: AbortSignal
  timeoutMs?: number
  limits?: Limits
}): Promise<Channel<P>> {
  const { window: here, target, targetOrigin, protocol, onEvent, signal } = parameters
  const limits = parameters.limits ?? defaultLimits
  return new Promise((resolve, reject) => {
    assertOrigin(targetOrigin)
    if (signal?.aborted) throw new LatchkeyError('ABORTED')
    const id = randomId()
    let asker: ReturnType<typeof createAsker<P>> | undefined

    const stop = (error: LatchkeyError) => {
      unlisten()
      clearTimeout(timer)
      clearInterval(poll)
      signal?.removeEventListener('abort', abort)
      asker?.close()
      reject(error)
    }
    const gone = () => stop(new LatchkeyError('CHANNEL_CLOSED'))
    const abort = () => stop(new LatchkeyError('ABORTED'))
    const timer = setTimeout(
      () => stop(new LatchkeyError('TIMEOUT')),
      parameters.timeoutMs ?? defaultTimeoutMs,
    )
    const poll = setInterval(() => target.closed && gone(), closedPollMs)
    signal?.addEventListener('abort', abort, { once: true })

    const unlisten = onGreeting({ here, there: target, origin: targetOrigin }, (word) => {
      if (word.latchkey !== 'ready') return
      // Said twice, it has loaded anew and lost its end.
      if (asker) return gone()
      const { port1, port2 } = new MessageChannel()
      asker = createAsker({
        port: port1,
        here,
        protocol,
        onEvent,
        limits,
        id,
        origin: targetOrigin,
      })
      asker.closed.addEventListener('abort', gone, { once: true })
      asker.welcomed.then((channel) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        resolve(channel)
      })
      greet(target, targetOrigin, { latchkey: 'hello', id }, [port2])
    })
  })
}

/**
 * Serves one channel to the window that embeds or opened this one. `peerOrigin` is what that window claims (in the
 * address, say): nothing is sent anywhere else, and a first message counts only from exactly `peer` at exactly that origin,
 * once. `onConnect` gets the verified origin and returns what answers. Returns a function that stops and closes.
 */
export function listenChannel<P extends Protocol>(parameters: {
  window: Here
  peer: There
  peerOrigin: string
  allowedOrigin: (origin: string) => boolean
  protocol: P
  onConnect: (channel: ServedChannel<P>) => Handlers<P>
  limits?: Limits
}): () => void {
  const { window: here, peer, peerOrigin, allowedOrigin, protocol, onConnect } = parameters
  assertOrigin(peerOrigin)
  if (!allowedOrigin(peerOrigin)) throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
  let port: Port | undefined
  const unlisten = onGreeting({ here, there: peer, origin: peerOrigin }, (word, ports) => {
    const [given] = ports
    if (word.latchkey !== 'hello' || port || !given || ports.length !== 1) return
    port = serve({
      port: given,
      here,
      origin: peerOrigin,
      protocol,
      onConnect,
      limits: parameters.limits ?? defaultLimits,
    })
    port.send({ kind: 'welcome', id: word.id })
  })
  greet(peer, peerOrigin, { latchkey: 'ready' })
  return () => {
    unlisten()
    port?.close()
  }
}

function createAsker<P extends Protocol>(parameters: {
  port: MessagePort
  here: Here
  protocol: P
  onEvent: (<E extends EventName<P>>(name: E, data: EventData<P, E>) => void) | undefined
  limits: Limits
  id: string
  origin: string
}) {
  const { protocol, onEvent, limits, origin } = parameters
  type Pending = { method: Method<P>; resolve(value: unknown): void; reject(error: unknown): void }
  const pending = new Map<string, Pending>()
  let welcome: (channel: Channel<P>) => void = () => {}
  let isWelcome = false
  const welcomed = new Promise<Channel<P>>((resolve) => {
    welcome = resolve
  })

  const port = carry(parameters.port, parameters.here, limits, (received) => {
    if (received.kind === 'welcome') {
      if (isWelcome || received.id !== parameters.id) return
      isWelcome = true
      welcome({ origin, closed: port.closed, request, close: port.close })
    } else if (received.kind === 'event') {
      const schema = own(protocol.events, received.name)
      if (!schema) return
      const parsed = z.safeParse(schema, received.data)
      if (!parsed.success) return
      onEvent?.(received.name as EventName<P>, parsed.data as EventData<P, EventName<P>>)
    } else if (received.kind === 'result') {
      pending.get(received.id)?.resolve(received.result)
    } else if (received.kind === 'error') {
      pending.get(received.id)?.reject(unpackError(received))
    }
  })
  port.closed.addEventListener('abort', () => {
    for (const entry of [...pending.values()]) entry.reject(new LatchkeyError('CHANNEL_CLOSED'))
  })

  async function request<M extends Method<P>>(
    method: M,
    params: Params<P, M>,
    { timeoutMs = defaultTimeoutMs, signal }: RequestOptions = {},
  ): Promise<Result<P, M>> {
    const route = own(protocol.requests, method)
    if (!route) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
    if (port.closed.aborted) throw new LatchkeyError('CHANNEL_CLOSED')
    if (signal?.aborted) throw new LatchkeyError('ABORTED')
    if (pending.size >= limits.maxPending) throw new LatchkeyError('CHANNEL_BUSY')
    const clean = parseValue(route.params, params, invalidParams)
    const id = randomId()
    const cleanups: (() => void)[] = []
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        const drop = (error: LatchkeyError) => {
          port.send({ kind: 'cancel', id })
          reject(error)
        }
        pending.set(id, { method, resolve, reject })
        if (timeoutMs !== null) {
          const timer = setTimeout(() => drop(new LatchkeyError('TIMEOUT')), timeoutMs)
          cleanups.push(() => clearTimeout(timer))
        }
        const abort = () => drop(new LatchkeyError('ABORTED'))
        signal?.addEventListener('abort', abort, { once: true })
        cleanups.push(() => signal?.removeEventListener('abort', abort))
        port.send({ kind: 'request', id, method, params: clean })
      })
      const refuse = () => new LatchkeyError('ANSWER_INVALID')
      return parseValue(route.result, answer, refuse) as Result<P, M>
    } finally {
      pending.delete(id)
      for (const cleanup of cleanups) cleanup()
    }
  }

  return { welcomed, closed: port.closed, close: port.close }
}

function serve<P extends Protocol>(parameters: {
  port: MessagePort
  here: Here
  origin: string
  protocol: P
  onConnect: (channel: ServedChannel<P>) => Handlers<P>
  limits: Limits
}): Port {
  const { protocol, limits, origin } = parameters
  const running = new Map<string, AbortController>()
  const port = carry(parameters.port, parameters.here, limits, (received) => {
    if (received.kind === 'cancel') {
      running.get(received.id)?.abort()
      running.delete(received.id)
    } else if (received.kind === 'request') void answer(received)
  })
  port.closed.addEventListener('abort', () => {
    for (const controller of running.values()) controller.abort()
    running.clear()
  })
  const handlers = parameters.onConnect({
    origin,
    closed: port.closed,
    close: port.close,
    emit: (name, data) => {
      const schema = own(protocol.events, name)
      if (!schema) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method: name } })
      port.send({ kind: 'event', name, data: parseValue(schema, data, invalidParams) })
    },
  })

  async function answer({ id, method, params }: Extract<Message, { kind: 'request' }>) {
    if (running.has(id)) return
    const controller = new AbortController()
    try {
      const route = own(protocol.requests, method)
      if (!route) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
      if (running.size >= limits.maxPending) throw new LatchkeyError('CHANNEL_BUSY')
      const clean = parseValue(route.params, params, invalidParams)
      running.set(id, controller)
      const { signal } = controller
      const result = await handlers[method as Method<P>](clean as Params<P, Method<P>>, { signal })
      const checked = parseValue(route.result, result, () => new LatchkeyError('INTERNAL'))
      if (!signal.aborted) port.send({ kind: 'result', id, result: checked })
    } catch (error) {
      if (!controller.signal.aborted) port.send({ kind: 'error', id, ...packError(error) })
    } finally {
      if (running.get(id) === controller) running.delete(id)
    }
  }
  return port
}

/** Numbers, limits and parses what goes through a port, and closes it once, telling the other end. */
function carry(
  port: MessagePort,
  here: Here,
  limits: Limits,
  onMessage: (received: Message) => void,
): Port {
  const closing = new AbortController()
  let sent = 0
  let seen = 0
  const send = (draft: Draft) => {
    if (closing.signal.aborted) return
    const text = JSON.stringify({ ...draft, sequence: sent + 1 })
    if (text.length > limits.maxLength) throw new LatchkeyError('MESSAGE_TOO_LARGE')
    sent += 1
    port.postMessage(text)
  }
  const end = () => {
    if (closing.signal.aborted) return
    here.removeEventListener('pagehide', onPageHide)
    port.close()
    closing.abort()
  }
  const close = () => {
    send({ kind: 'bye' })
    end()
  }
  // A page kept for the way back keeps its ports too.
  const onPageHide = (event: Event) => {
    if (!(event as PageTransitionEvent).persisted) close()
  }
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (closing.signal.aborted || typeof data !== 'string' || data.length > limits.maxLength) return
    const received = parseText(message, data)
    if (!received || received.sequence <= seen) return
    seen = received.sequence
    if (received.kind === 'bye') end()
    else onMessage(received)
  })
  port.addEventListener('close', end)
  here.addEventListener('pagehide', onPageHide)
  port.start()
  return { closed: closing.signal, send, close }
}

function onGreeting(
  { here, there, origin }: { here: Here; there: There; origin: string },
  onWord: (word: Greeting, ports: readonly MessagePort[]) => void,
): () => void {
  const listener = (event: Event) => {
    const { source, origin: from, data, ports } = event as MessageEvent<unknown>
    if (source !== there || from !== origin) return
    if (typeof data !== 'string' || data.length > greetingMaxLength) return
    const word = parseText(greeting, data)
    if (word) onWord(word, ports)
  }
  here.addEventListener('message', listener)
  return () => here.removeEventListener('message', listener)
}

function greet(there: There, origin: string, word: Greeting, transfer: Transferable[] = []): void {
  there.postMessage(JSON.stringify(word), origin, transfer)
}

/** Refuses `*`, `null` and everything that is not an origin in its own spelling. */
function assertOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return
  throw invalidParams(`${origin} is not an origin`)
}

const invalidParams = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
