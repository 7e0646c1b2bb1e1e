import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { clientAddress } from './clientAddress.ts'
import type { MemoryReservation } from './createResponseMemory.ts'
import { runForClient } from './currentClient.ts'
import { busy, HttpFailure, OverBudget } from './failure.ts'
import { getClientOrigin } from './limitRate.ts'
import { getBodyLength } from './listener/receiveBody.ts'
import { onResponseEnd } from './onResponseEnd.ts'
import { routeTemplate } from './routeTemplate.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The memory that the response holds. Undefined if no HTTP server sends it, as in tests. */
    readonly reservation: MemoryReservation | undefined
  }
}

const unlimited = new Set(['/health', '/ready', '/metrics'])

/**
 * Refuses requests with 503 while the memory limit is reached, and accounts for each response until
 * it is sent. The request runs for its client, whose share of other resources is limited too.
 */
export function limitResponseMemory({
  responseMemory,
  config,
}: Pick<Services, 'responseMemory' | 'config'>): MiddlewareHandler<{
  Bindings: Partial<HttpBindings>
}> {
  return async (c, next) => {
    const outgoing = c.env?.outgoing
    if (outgoing === undefined || !('req' in outgoing) || unlimited.has(routeTemplate(c) ?? ''))
      return next()
    const client = clientAddress(getClientOrigin(c), config.trustedProxies)
    const reservation = responseMemory.open(client)
    if (reservation === undefined) throw new HttpFailure(busy)
    if (!reservation.add(getBodyLength(c.env?.incoming))) {
      reservation.release()
      throw new HttpFailure(busy)
    }
    c.set('reservation', reservation)
    // Release it when it is no longer read and no longer being written.
    let waitsFor = 2
    const end = () => {
      waitsFor--
      if (waitsFor === 0) reservation.release()
    }
    onResponseEnd(outgoing, end)
    outgoing.once('prefinish', () => responseMemory.send(outgoing, reservation))
    try {
      await runForClient(client, next)
    } finally {
      end()
    }
  }
}

/** Reserves `bytes` for the response. Throws {@link OverBudget}. */
export function holdMore(c: Context, bytes: number): void {
  if (c.get('reservation')?.add(bytes) === false) throw new OverBudget()
}
