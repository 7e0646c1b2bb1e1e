import { LatchkeyError } from '../errors/errors.ts'
import type { Handlers, Limits, LocalWindow, ServedChannel } from './channel.ts'
import { openPort, type Port } from './channelPort.ts'
import {
  type ChannelMessage,
  type ChannelMethod,
  invalidParamsError,
  own,
  type Params,
  type Protocol,
  packError,
  parseValue,
} from './channelProtocol.ts'

type Running = Map<string, AbortController>
type Request = Extract<ChannelMessage, { kind: 'request' }>

/**
 * The serving end of a port: sends the welcome, then responds to requests. Closes at once if
 * `onConnect` throws.
 */
export function serveChannel<P extends Protocol>(parameters: {
  port: MessagePort
  here: LocalWindow
  origin: string
  protocol: P
  onConnect: (channel: ServedChannel<P>) => Handlers<P>
  limits: Limits
  id: string
}): Port {
  const { here, protocol, limits, origin, id } = parameters
  const running: Running = new Map()
  const onMessage = (received: ChannelMessage) => {
    if (received.kind === 'cancel') {
      running.get(received.id)?.abort()
      running.delete(received.id)
    } else if (received.kind === 'request')
      void answer({ port, protocol, handlers, running, limits }, received)
  }
  const port = openPort({ port: parameters.port, here, limits, onMessage })
  port.closed.addEventListener('abort', () => {
    for (const controller of running.values()) controller.abort()
    running.clear()
  })
  // Before any event, which counts only afterwards.
  port.send({ kind: 'welcome', id })
  const handlers = connect()
  return port

  function connect() {
    try {
      const emit = createEmit(port, protocol)
      return parameters.onConnect({ origin, closed: port.closed, close: port.close, emit })
    } catch (error) {
      port.close()
      throw error
    }
  }
}

const createEmit =
  <P extends Protocol>(port: Port, protocol: P): ServedChannel<P>['emit'] =>
  (name, data) => {
    const schema = own(protocol.events, name)
    if (!schema) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method: name } })
    port.send({ kind: 'event', name, data: parseValue(schema, data, invalidParamsError) })
  }

async function answer<P extends Protocol>(
  serving: {
    port: Port
    protocol: P
    handlers: Handlers<P>
    running: Running
    limits: Limits
  },
  { id, method, params }: Request,
): Promise<void> {
  const { port, protocol, handlers, running, limits } = serving
  if (running.has(id)) return port.countInvalid()
  const controller = new AbortController()
  const { signal } = controller
  try {
    const route = own(protocol.requests, method)
    if (!route) {
      port.countInvalid()
      throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
    }
    if (running.size >= limits.maxPending) throw new LatchkeyError('CHANNEL_BUSY')
    const clean = parseParams(port, route.params, params)
    running.set(id, controller)
    const result = await handlers[method as ChannelMethod<P>](
      clean as Params<P, ChannelMethod<P>>,
      { signal },
    )
    const checked = parseValue(route.result, result, () => new LatchkeyError('INTERNAL'))
    if (!signal.aborted) port.send({ kind: 'result', id, result: checked })
  } catch (error) {
    if (!signal.aborted) refuse(port, id, error)
  } finally {
    if (running.get(id) === controller) running.delete(id)
  }
}

function parseParams(port: Port, schema: Parameters<typeof parseValue>[0], params: unknown) {
  return parseValue(schema, params, (reason) => {
    port.countInvalid()
    return invalidParamsError(reason)
  })
}

// The error repeats parts of the request, so it can be too large itself.
function refuse(port: Port, id: string, error: unknown) {
  try {
    port.send({ kind: 'error', id, ...packError(error) })
  } catch {
    port.send({ kind: 'error', id, code: 'MESSAGE_TOO_LARGE', data: {} })
  }
}
