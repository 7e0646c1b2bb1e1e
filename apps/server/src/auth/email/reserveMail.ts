import { isError } from '@latchkey/wire'
import type { Auth } from '../auth.ts'
import { addressPauseMs, type Budget, consumeLimits, refund } from '../codes/rateLimits.ts'
import { isKnownBrowser } from '../login/isKnownBrowser.ts'

const hourMs = 3_600_000
const daily = [
  { limit: 5, ms: hourMs },
  { limit: 10, ms: 24 * hourMs },
]

/** The sender of a request for mails, and the mailboxes: all of them are reserved, or none. */
type MailRequest = {
  readonly mailboxes: readonly Uint8Array[]
  readonly jkt: string
  readonly address: string
}

/**
 * Reserves one mail for each mailbox. A browser that the mailbox owner has signed in with has its
 * own limit, which other clients cannot use up. If `send` throws `MAIL_NOT_SENT`, the reservation
 * is refunded. Throws `LOGIN_THROTTLED`.
 */
export async function reserveMail(
  auth: Auth,
  { mailboxes, jkt, address }: MailRequest,
): Promise<{ send(mail: () => Promise<void>): Promise<void> }> {
  const senders = await Promise.all(
    mailboxes.map(async (emailIndex) => {
      const known = await isKnownBrowser(auth.db, { emailIndex, jkt })
      const by = { emailIndex, jkt, address }
      return {
        known,
        budgets: await (known ? getBrowserBudgets(auth, by) : getSharedBudgets(auth, by)),
      }
    }),
  )
  const budgets = senders.flatMap((each) => each.budgets)
  const nowMs = auth.clock()
  await consumeLimits(auth.db, { budgets, nowMs })
  for (const { known } of senders) await auth.mailLimit.take(known ? 'known' : 'all')
  return {
    async send(mail) {
      try {
        await mail()
      } catch (error) {
        if (isError(error, 'MAIL_NOT_SENT'))
          for (const budget of budgets.filter((each) => isRefundable(each, error)))
            await refund(auth.db, { budget, nowMs })
        throw error
      }
    },
  }
}

/**
 * A mailbox that rejects every mail would keep the mail server busy: such a mail still counts for
 * the sender's address.
 */
const isRefundable = ({ scope }: Budget, { cause }: Error) =>
  scope !== 'mail address' || (cause as { code?: unknown } | undefined)?.code !== 'EENVELOPE'

type MailSender = {
  readonly emailIndex: Uint8Array
  readonly jkt: string
  readonly address: string
}

/** The limits of a browser that the owner of a mailbox has signed in with. */
async function getBrowserBudgets(
  { secrets, config }: Auth,
  { emailIndex, jkt }: MailSender,
): Promise<Budget[]> {
  const mailbox = Buffer.from(emailIndex).toString('hex')
  const subject = await secrets.mac('budget', JSON.stringify([mailbox, jkt]))
  const once = [{ limit: 1, ms: config.mailCooldownSeconds * 1000 }]
  return [
    { scope: 'mail browser', subject, windows: once },
    { scope: 'mail known browser', subject, windows: daily },
  ]
}

/**
 * The limits of all other clients: by mailbox and browser, mailbox and address, mailbox, address.
 */
async function getSharedBudgets({ secrets, config }: Auth, by: MailSender): Promise<Budget[]> {
  const { emailIndex, jkt, address } = by
  const mailbox = Buffer.from(emailIndex).toString('hex')
  const subject = (...parts: string[]) => secrets.mac('budget', JSON.stringify(parts))
  const once = [{ limit: 1, ms: config.mailCooldownSeconds * 1000 }]
  return [
    { scope: 'mail browser', subject: await subject(mailbox, jkt), windows: once },
    { scope: 'mail place', subject: await subject(mailbox, address), windows: once },
    { scope: 'mail mailbox', subject: emailIndex, windows: daily },
    {
      scope: 'mail address',
      subject: await subject(address),
      windows: [{ limit: config.emailLoginsPerHour, ms: hourMs, pauseMs: addressPauseMs }],
    },
  ]
}
