import type { ChainId } from '@latchkey/wire'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Services } from '../services.ts'

type WatchBundlersDeps = Pick<Services, 'db' | 'metrics' | 'health'>

/**
 * The age in seconds from which `/ready` reports a bundle without an outcome, and an operation
 * without a bundle.
 */
const stuckSeconds = { bundle: 300, operation: 1_800 } as const

type Waiting = {
  readonly chain: string
  readonly what: 'bundle' | 'operation'
  readonly seconds: number
}

/**
 * Reports the age of the oldest bundle and operation of the server's own bundlers in the metrics
 * and, if it is too high, in `/ready`.
 */
export function watchBundlers(
  { db, metrics, health }: WatchBundlersDeps,
  chainIds: readonly ChainId[],
): void {
  let stuck: readonly Waiting[] = []
  health.add(
    'bundler',
    () => (stuck.length === 0 ? undefined : stuck.map(describe).join('; ')),
    async () => {
      const waiting = await readWaiting(db, chainIds)
      stuck = waiting.filter(({ what, seconds }) => seconds > stuckSeconds[what])
    },
  )
  new Gauge({
    name: 'latchkey_bundler_waiting_seconds',
    help: 'Age of the oldest bundle whose outcome is unknown, and of the oldest operation that waits for a bundle, by network',
    labelNames: ['chain', 'what'] as const,
    registers: [metrics.registry],
    async collect() {
      this.reset()
      // Without the database the age is unknown, but the other metrics are still readable.
      const waiting = await readWaiting(db, chainIds).catch(() => undefined)
      if (!waiting) return
      for (const chain of chainIds)
        for (const what of ['bundle', 'operation'] as const)
          this.set(
            { chain, what },
            waiting.find((one) => one.chain === chain && one.what === what)?.seconds ?? 0,
          )
    },
  })
}

const describe = ({ chain, what, seconds }: Waiting) =>
  `${chain}: the oldest ${what} has waited for ${Math.floor(seconds / 60)} minutes`

async function readWaiting(
  db: WatchBundlersDeps['db'],
  chainIds: readonly ChainId[],
): Promise<Waiting[]> {
  if (chainIds.length === 0) return []
  const { rows } = await sql<Waiting>`
    select chain_id as chain, 'bundle' as what, extract(epoch from now() - min(created_at))::float as seconds
    from user_operation_bundles where not settled and chain_id = any(${chainIds}::text[]) group by chain_id
    union all
    select chain_id, 'operation', extract(epoch from now() - min(created_at))::float
    from user_operations where status = 'pending' and chain_id = any(${chainIds}::text[]) group by chain_id`.execute(
    db,
  )
  return rows
}
