import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Config } from '../config.ts'
import { HttpFailure, unknownPath } from '../http/failure.ts'
import type { RelayServices } from '../services.ts'

const timeoutMs = 2_000

/**
 * `/health` reports that the process runs, `/ready` that its dependencies answer (with `details` of
 * missing ones, for example a mail server). `/metrics` requires the operator's token.
 */
export function healthRoutes({
  db,
  kv,
  metrics,
  log,
  health,
  config,
}: Pick<RelayServices, 'db' | 'kv' | 'metrics' | 'log' | 'health' | 'config'>): Hono {
  const checks = {
    ...(db && {
      db: async () => void (await db.selectNoFrom(({ lit }) => lit(1).as('one')).execute()),
    }),
    kv: () => kv.ping(),
  }
  const app = new Hono()
  app.get('/health', (c) => c.json({ status: 'OK' }))
  app.get('/ready', async (c) => {
    // A check that takes too long is reported the next time.
    const looking = within(timeoutMs, health.look()).catch(() => {})
    const results = await Promise.all(
      Object.entries(checks).map(async ([field, check]) => {
        try {
          await within(timeoutMs, check())
          return []
        } catch (error) {
          log.warn({ err: error, field }, 'not ready')
          const description = health.troubles().get(field) ?? `${field} does not answer`
          return [{ field, description }]
        }
      }),
    )
    const reasons = results.flat()
    await looking
    const others = [...health.troubles()].filter(([field]) => !(field in checks))
    const details = others.map(([field, description]) => ({ field, description }))
    const more = details.length > 0 && { details }
    if (reasons.length === 0) return c.json({ status: 'OK', ...more })
    return c.json({ status: 'FAILED', reasons, ...more }, 503, { 'retry-after': '1' })
  })
  app.get('/metrics', async (c) => {
    if (!isOperator(config, c.req.header('authorization'))) throw new HttpFailure(unknownPath)
    c.header('content-type', metrics.registry.contentType)
    return c.body(await metrics.registry.metrics())
  })
  return app
}

/** Compares hashes in constant time. */
function isOperator({ metricsToken }: Pick<Config, 'metricsToken'>, token = ''): boolean {
  if (metricsToken === undefined) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(token), hash(`Bearer ${metricsToken}`))
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** `/hello`: confirms to wallets and people that a relay is at this address. */
export const helloRoute = () =>
  new Hono().get('/hello', (c) => c.text('Hello World, this is Relay Server of Latchkey\n'))
