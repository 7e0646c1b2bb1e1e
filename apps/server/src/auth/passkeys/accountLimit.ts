import { LatchkeyError } from '@latchkey/wire'
import { Counter } from 'prom-client'
import { type AlertOperator, accountsPausedMail } from '../../mail/operatorMails.ts'
import type { Services } from '../../services.ts'
import { type Budget, consumeLimit, consumeLimits, readWait } from '../codes/rateLimits.ts'

/** The limits of new accounts with a passkey: for a network address, and for all together. */
export type AccountLimit = {
  /**
   * Checks that an account can be made now, before the user makes a passkey for it. Takes nothing.
   * Throws `LOGIN_THROTTLED`.
   */
  check(address: string): Promise<void>
  /** Takes one account. Throws `LOGIN_THROTTLED`. */
  take(address: string): Promise<void>
}

type AccountLimitDeps = Pick<Services, 'db' | 'clock' | 'log' | 'metrics' | 'health'> & {
  readonly config: Pick<
    Services['config'],
    'passkeyAccountsPerHour' | 'passkeyAccountsOfAllPerHour'
  >
  /** The keyed hashes of network addresses. */
  readonly secrets: { mac(purpose: string, data: string): Promise<Uint8Array> }
  readonly alertOperator: AlertOperator
}

const hourMs = 3_600_000

/**
 * Shared by all processes through the database. When the limit for all is reached, new accounts are
 * paused; a metric, an alert and a note in `/ready` report it, and everything else continues.
 */
export function createAccountLimit(deps: AccountLimitDeps): AccountLimit {
  const { db, clock, log, metrics, health, config, secrets, alertOperator } = deps
  const { passkeyAccountsPerHour: ofOne, passkeyAccountsOfAllPerHour: limit } = config
  let pausedUntilMs = 0
  const refusals = new Counter({
    name: 'latchkey_passkey_account_refusals_total',
    help: 'New accounts with a passkey alone that the limit for all of them refused',
    registers: [metrics.registry],
  })
  health.add('passkey accounts', () =>
    clock() < pausedUntilMs
      ? `New accounts with a passkey are paused: there were ${limit} in an hour`
      : undefined,
  )
  const byAll: Budget = {
    scope: 'passkey accounts of all',
    subject: Buffer.alloc(1),
    windows: [{ limit, ms: hourMs }],
  }
  const byAddress = async (address: string): Promise<Budget> => ({
    scope: 'passkey account address',
    subject: await secrets.mac('budget', JSON.stringify([address])),
    windows: [{ limit: ofOne, ms: hourMs }],
  })
  const pause = (waitMs: number) => {
    if (waitMs === 0) return
    pausedUntilMs = clock() + waitMs
    refusals.inc()
    log.error({ limit }, 'new accounts with a passkey are paused: too many in an hour')
    const mail = accountsPausedMail({ limit })
    alertOperator({ about: 'passkey accounts paused', everyMs: hourMs, mail })
    throw throttled(waitMs)
  }
  return {
    async check(address) {
      const nowMs = clock()
      const waitMs = await readWait(db, { budget: await byAddress(address), nowMs })
      if (waitMs > 0) throw throttled(waitMs)
      pause(await readWait(db, { budget: byAll, nowMs }))
    },
    async take(address) {
      const nowMs = clock()
      // First: an address above its own limit must not use up the limit of all.
      await consumeLimits(db, { budgets: [await byAddress(address)], nowMs })
      pause(await consumeLimit(db, { budget: byAll, nowMs }))
    },
  }
}

const throttled = (waitMs: number) =>
  new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: Math.ceil(waitMs / 1000) } })
