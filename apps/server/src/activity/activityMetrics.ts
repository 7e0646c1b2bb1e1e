import { Counter, Gauge, type Registry } from 'prom-client'
import type { ChainFollower } from './follow/followChain.ts'

/** The counters of the indexer, by chain. */
export type ActivityMetrics = {
  readonly rows: Counter<'chain'>
  readonly reorgs: Counter<'chain'>
}

/**
 * Registers the indexer's metrics; the gauges show the chains that this process follows at the
 * moment of the scrape.
 */
export function createActivityMetrics(
  registry: Registry,
  followers: ReadonlyMap<string, ChainFollower>,
): ActivityMetrics {
  const registers = [registry]
  const labelNames = ['chain'] as const
  new Gauge({
    name: 'latchkey_activity_lag_seconds',
    help: 'Time since all activity up to the newest block was indexed, by chain',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [chain, follower] of followers) {
        const lagMs = follower.lagMs()
        if (lagMs !== undefined) this.set({ chain }, lagMs / 1000)
      }
    },
  })
  new Gauge({
    name: 'latchkey_activity_accounts',
    help: 'Accounts followed by this process, by chain',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [chain, follower] of followers) this.set({ chain }, follower.accountCount())
    },
  })
  return {
    rows: new Counter({
      name: 'latchkey_activity_transactions_total',
      help: 'Transactions of followed accounts that were indexed, by chain',
      labelNames,
      registers,
    }),
    reorgs: new Counter({
      name: 'latchkey_activity_reorgs_total',
      help: 'Reorganizations after which blocks were indexed again, by chain',
      labelNames,
      registers,
    }),
  }
}
