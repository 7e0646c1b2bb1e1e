import { LatchkeyError } from '@latchkey/wire'
import { Counter } from 'prom-client'
import { recoverFrom } from '../../awaitable.ts'
import type { Take } from '../../kv/kv.ts'
import { type AlertOperator, mailsLimitedMail } from '../../mail/operatorMails.ts'
import type { Services } from '../../services.ts'

/**
 * The recipient of a mail: a browser that the owner of the mailbox has signed in with, or any
 * other. Each kind has its own limit.
 */
type MailKind = 'known' | 'all'

/** The limit of all mails together, so that an attacker cannot use the server to send spam. */
export type MailLimit = {
  /** Takes one mail. Throws `LOGIN_THROTTLED` if the limit is reached. */
  take(kind: MailKind): Promise<void>
}

type MailLimitDeps = Pick<Services, 'kv' | 'clock' | 'log' | 'metrics' | 'health'> & {
  readonly config: Pick<Services['config'], 'mailsPerHour'>
  readonly alertOperator: AlertOperator
}

const hourMs = 3_600_000
/**
 * How long `/ready` reports that the limit was reached. Room for one mail appears again within
 * seconds, and the next mail takes it.
 */
const noteMs = 10 * 60_000
const whom = { all: 'new browsers', known: 'known browsers' } as const

/**
 * Reaching the limit updates a metric, sends an alert, and adds a note to `/ready`, which still
 * answers 200 because signed-in users are not affected.
 */
export function createMailLimit(deps: MailLimitDeps): MailLimit {
  const { kv, clock, log, metrics, health, config, alertOperator } = deps
  const { mailsPerHour: limit } = config
  const bucket = { capacity: limit, refillPerSecond: limit / 3600 }
  const notedUntilMs = { all: 0, known: 0 }
  const refusals = new Counter({
    name: 'latchkey_mail_limit_refusals_total',
    help: 'Mails refused by the limit for all mails: for known browsers, and for all others',
    labelNames: ['kind'] as const,
    registers: [metrics.registry],
  })
  // A rate needs a value from before the first refusal.
  for (const kind of ['all', 'known'] as const) {
    refusals.inc({ kind }, 0)
    health.add(`mails:${kind}`, () =>
      clock() < notedUntilMs[kind]
        ? `Mails to ${whom[kind]} are refused: there were ${limit} in an hour`
        : undefined,
    )
  }
  return {
    async take(kind) {
      // While the kv store is unavailable, the limits of each mailbox and address still apply,
      // because they are in the database.
      const taking = kv.take(`mail:${kind}`, bucket)
      const take = await recoverFrom<Take | undefined>(taking, () => undefined)
      if (take === undefined) log.warn('the limit for all mails was not applied')
      if (take === undefined || take.allowed) return
      log.error({ name: `mail:${kind}` }, 'the limit for all mails is reached')
      notedUntilMs[kind] = clock() + noteMs
      refusals.inc({ kind })
      const mail = mailsLimitedMail({ limit, whom: whom[kind] })
      alertOperator({ about: `mails ${kind}`, everyMs: hourMs, mail })
      const seconds = Math.ceil(take.retryAfterSeconds)
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds } })
    },
  }
}
