import { createHash } from 'node:crypto'
import type { AlertOperator, OperatorAlert } from '../../mail/operatorMails.ts'
import type { Auth } from '../auth.ts'
import { consumeLimit, refund } from '../codes/rateLimits.ts'

type AlertOperatorDeps = Pick<Auth, 'db' | 'clock' | 'log' | 'mailer'> & {
  readonly config: Pick<Auth['config'], 'operatorEmail'>
}

/**
 * An attack causes one alert after the other, so the database is not queried for each. A mail that
 * failed is retried after this time.
 */
const pauseMs = 60_000

/**
 * Mails alerts to OPERATOR_EMAIL, each at most once per `everyMs`, counted in the database for all
 * processes together.
 */
export function createAlertOperator(deps: AlertOperatorDeps): AlertOperator {
  const { clock, log } = deps
  const quietUntilMs = new Map<string, number>()
  return (alert) => {
    const { about } = alert
    if (clock() < (quietUntilMs.get(about) ?? 0)) return
    quietUntilMs.set(about, clock() + pauseMs)
    sendOnce(deps, alert).catch((error) =>
      log.error({ err: error, about }, 'the operator could not be notified'),
    )
  }
}

async function sendOnce(
  { db, clock, mailer, config }: AlertOperatorDeps,
  { about, everyMs, mail }: OperatorAlert,
): Promise<void> {
  const { operatorEmail } = config
  if (!mailer || operatorEmail === undefined) return
  const nowMs = clock()
  const subject = createHash('sha256').update(about).digest()
  const budget = { scope: 'operator alert', subject, windows: [{ limit: 1, ms: everyMs }] }
  if ((await consumeLimit(db, { budget, nowMs })) > 0) return
  try {
    await mailer.send({ to: operatorEmail, ...mail })
  } catch (error) {
    await refund(db, { budget, nowMs })
    throw error
  }
}
