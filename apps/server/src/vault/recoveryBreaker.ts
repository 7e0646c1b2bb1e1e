import { LatchkeyError } from '@latchkey/wire'
import { type Counter, Gauge } from 'prom-client'
import { consumeLimit, readWait } from '../auth/codes/rateLimits.ts'
import { type AlertOperator, recoveriesPausedMail } from '../mail/operatorMails.ts'
import type { Services } from '../services.ts'

/** Pauses recoveries for all users when there are too many. */
export type RecoveryBreaker = {
  /** Counts one recovery of all users. Throws `RECOVERY_PAUSED` if there were too many. */
  take(): Promise<void>
}

type RecoveryBreakerDeps = Pick<Services, 'db' | 'clock' | 'log' | 'metrics' | 'health'> & {
  readonly alertOperator: AlertOperator
  readonly refusals: Counter<'limit'>
}

const hourMs = 3_600_000
/** More recoveries than this within an hour indicate an attack on the server. */
const limit = 100
const budget = {
  scope: 'vault recoveries of all',
  subject: Buffer.alloc(1),
  windows: [{ limit, ms: hourMs }],
}

/**
 * Shared by all processes through the database. A pause shows as a metric, an alert, and a note in
 * `/ready`, which stays 200: logins and signatures continue.
 */
export function createRecoveryBreaker(deps: RecoveryBreakerDeps): RecoveryBreaker {
  const { db, clock, log, metrics, health, alertOperator, refusals } = deps
  let pausedUntilMs = 0
  refusals.inc({ limit: 'all_recoveries' }, 0)
  new Gauge({
    name: 'latchkey_recoveries_paused',
    help: '1 while recoveries are paused for all users, because there were too many within an hour',
    registers: [metrics.registry],
    async collect() {
      // Without the database the state is unknown, and the other metrics are still collected.
      const waitMs = await readWait(db, { budget, nowMs: clock() }).catch(() => Number.NaN)
      this.set(waitMs > 0 ? 1 : waitMs)
    },
  })
  health.add('recoveries', () =>
    clock() < pausedUntilMs ? `Recoveries are paused: there were ${limit} in an hour` : undefined,
  )
  return {
    async take() {
      const waitMs = await consumeLimit(db, { budget, nowMs: clock() })
      if (waitMs === 0) return
      pausedUntilMs = clock() + waitMs
      refusals.inc({ limit: 'all_recoveries' })
      log.error({ limit }, 'recoveries are paused: too many in an hour')
      const mail = recoveriesPausedMail({ limit, minutes: Math.ceil(waitMs / 60_000) })
      alertOperator({ about: 'recoveries paused', everyMs: hourMs, mail })
      throw new LatchkeyError('RECOVERY_PAUSED')
    },
  }
}
