import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { clientAddress } from './clientAddress.ts'
import type { Lease } from './createAnswers.ts'
import { busy, failureResponse, OverBudget } from './failure.ts'
import { getOrigin } from './limitRate.ts'
import { routeTemplate } from './routeTemplate.ts'
import { whenGone } from './whenGone.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** What the answer holds; undefined where no server sends it. */
    readonly lease: Lease | undefined
  }
}

const unlimited = new Set(['/health', '/ready', '/metrics'])

/** Refuses with 503 while answers under way hold all there is, and counts what each holds until it is sent. */
export function holdAnswers({
  answers,
  config,
}: Pick<Services, 'answers' | 'config'>): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const outgoing = c.env?.outgoing
    if (outgoing === undefined || !('req' in outgoing) || unlimited.has(routeTemplate(c) ?? ''))
      return next()
    const lease = answers.open(clientAddress(getOrigin(c), config.trustedProxies))
    if (lease === undefined) return failureResponse(busy)
    c.set('lease', lease)
    // It is let go when nobody reads it any more and nobody works on it.
    let waitsFor = 2
    const end = () => {
      waitsFor--
      if (waitsFor === 0) lease.release()
    }
    whenGone(outgoing, end)
    outgoing.once('prefinish', () => answers.send(outgoing, lease))
    try {
      await next()
    } finally {
      end()
    }
  }
}

/** Counts `bytes` that the answer is about to hold. Throws {@link OverBudget}. */
export function holdMore(c: Context, bytes: number): void {
  if (c.get('lease')?.add(bytes) === false) throw new OverBudget()
}
