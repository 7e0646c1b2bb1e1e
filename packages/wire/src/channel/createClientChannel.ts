import { LatchkeyError } from '../errors/errors.ts'
import {
  type Channel,
  defaultTimeoutMs,
  type Limits,
  type LocalWindow,
  type RequestOptions,
} from './channel.ts'
import { openPort, type Port } from './channelPort.ts'
import {
  type ChannelMessage,
  type ChannelMethod,
  type EventData,
  type EventName,
  invalidParamsError,
  own,
  type Params,
  type Protocol,
  parseValue,
  type Result,
  randomId,
  tryParse,
  unpackError,
} from './channelProtocol.ts'

type Pending = Map<string, { resolve(value: unknown): void; reject(error: unknown): void }>

type OnEvent<P extends Protocol> = <E extends EventName<P>>(name: E, data: EventData<P, E>) => void

/**
 * The client's end of a port: `onWelcome` gets the channel after the other end has sent the
 * greeting's `id`.
 */
export function createClientChannel<P extends Protocol>(parameters: {
  port: MessagePort
  here: LocalWindow
  protocol: P
  onEvent: OnEvent<P> | undefined
  onWelcome: (channel: Channel<P>) => void
  limits: Limits
  id: string
  origin: string
}): Port {
  const { protocol, onEvent, onWelcome, limits, origin } = parameters
  const pending: Pending = new Map()
  let isWelcome = false

  const onMessage = (received: ChannelMessage) => {
    if (received.kind === 'welcome') {
      if (isWelcome || received.id !== parameters.id) return
      isWelcome = true
      const request = createRequest({ port, protocol, limits, pending })
      onWelcome({ origin, closed: port.closed, request, close: port.close })
    } else if (!isWelcome) return
    else if (received.kind === 'event') deliverEvent(protocol, received, onEvent)
    else if (received.kind === 'result') pending.get(received.id)?.resolve(received.result)
    else if (received.kind === 'error') pending.get(received.id)?.reject(unpackError(received))
  }
  const port = openPort({ port: parameters.port, here: parameters.here, limits, onMessage })
  port.closed.addEventListener('abort', () => {
    for (const entry of [...pending.values()]) entry.reject(new LatchkeyError('CHANNEL_CLOSED'))
  })
  return port
}

function deliverEvent<P extends Protocol>(
  protocol: P,
  { name, data }: Extract<ChannelMessage, { kind: 'event' }>,
  onEvent: OnEvent<P> | undefined,
) {
  const schema = own(protocol.events, name)
  const parsed = schema && tryParse(schema, data)
  if (parsed?.success) onEvent?.(name, parsed.data as EventData<P, EventName<P>>)
}

function createRequest<P extends Protocol>(parameters: {
  port: Port
  protocol: P
  limits: Limits
  pending: Pending
}): Channel<P>['request'] {
  const { port, protocol, limits, pending } = parameters
  return async <M extends ChannelMethod<P>>(
    method: M,
    params: Params<P, M>,
    { timeoutMs = defaultTimeoutMs, signal }: RequestOptions = {},
  ) => {
    const route = own(protocol.requests, method)
    if (!route) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
    if (port.closed.aborted) throw new LatchkeyError('CHANNEL_CLOSED')
    if (signal?.aborted) throw new LatchkeyError('ABORTED')
    if (pending.size >= limits.maxPending) throw new LatchkeyError('CHANNEL_BUSY')
    const clean = parseValue(route.params, params, invalidParamsError)
    const answer = await waitForAnswer({ port, pending, method, params: clean, timeoutMs, signal })
    const refuse = () => new LatchkeyError('ANSWER_INVALID')
    return parseValue(route.result, answer, refuse) as Result<P, M>
  }
}

async function waitForAnswer(parameters: {
  port: Port
  pending: Pending
  method: string
  params: unknown
  timeoutMs: number | null
  signal: AbortSignal | undefined
}): Promise<unknown> {
  const { port, pending, method, params, timeoutMs, signal } = parameters
  const id = randomId()
  let timer: ReturnType<typeof setTimeout> | undefined
  let abort = () => {}
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const drop = (error: LatchkeyError) => {
        port.send({ kind: 'cancel', id })
        reject(error)
      }
      abort = () => drop(new LatchkeyError('ABORTED'))
      pending.set(id, { resolve, reject })
      if (timeoutMs !== null)
        timer = setTimeout(() => drop(new LatchkeyError('TIMEOUT')), timeoutMs)
      signal?.addEventListener('abort', abort, { once: true })
      port.send({ kind: 'request', id, method, params })
    })
  } finally {
    pending.delete(id)
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
