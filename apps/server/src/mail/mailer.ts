import { LatchkeyError } from '@latchkey/wire'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { isLoopbackOrigin } from '../projects/originAllowed.ts'
import type { BaseServices } from '../services.ts'
import { createMailMetrics } from './mailMetrics.ts'

/** A mail as plain text and HTML. The plain text contains the links and codes as well. */
export type Mail = { readonly subject: string; readonly text: string; readonly html: string }

/** Sends mails. `to` is one normalized address. */
export type Mailer = {
  /**
   * Resolves when the mail server accepted the mail or refused this recipient permanently. Throws
   * `MAIL_NOT_SENT` within ten seconds; the mail is not sent later then.
   */
  send(letter: Mail & { readonly to: string }): Promise<void>
  /**
   * Whether the mail server accepts this address: letters beyond ASCII before the @ need SMTPUTF8
   * (RFC 6531). True while that is unknown.
   */
  takes(to: string): boolean
  close(): void
}

/** The time limits of the mailer. */
export type MailLimits = {
  /**
   * For a mail to be accepted, including its time in the queue. After that it is no longer sent.
   */
  readonly sendMs: number
  /** For the greeting of the server. */
  readonly connectMs: number
  /** Between two checks whether an unavailable server is back. */
  readonly recheckMs: number
}

const defaultLimits: MailLimits = { sendMs: 10_000, connectMs: 5_000, recheckMs: 30_000 }
const maxConnections = 8

type Failure = { readonly code?: string; readonly responseCode?: number }

/**
 * Opens the configured mailer. Undefined if no mail server is configured. Reports its state to
 * `health` and the metrics.
 */
export function openMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  { log, metrics, health }: Pick<BaseServices, 'log' | 'metrics' | 'health'>,
  limits: MailLimits = defaultLimits,
): Mailer | undefined {
  if (smtpUrl === undefined) return undefined
  let offersUtf8: boolean | undefined
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    transactionLog: true,
    // Nothing is logged: the response to EHLO names the extensions of the server, one on each line.
    logger: {
      debug: ({ tnx }: { tnx?: string }, text: unknown) => {
        if (tnx === 'server' && typeof text === 'string' && text.startsWith('250-'))
          offersUtf8 = /^250[ -]SMTPUTF8\b/im.test(text)
      },
    },
    // Codes must not cross a network unencrypted; `?requireTLS=false` in the URL overrides this.
    requireTLS: !isLoopbackOrigin(smtpUrl.replace(/^smtps?:/, 'http:')),
    maxConnections,
    // A connection that the server closed while it was idle is replaced once.
    maxRequeues: 1,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.sendMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let waiting = 0
  let awaySinceMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  const sent = createMailMetrics(metrics.registry, {
    waiting: () => waiting,
    away: () => awaySinceMs !== undefined,
  })
  health.add('mail', () => {
    if (awaySinceMs === undefined) return undefined
    const seconds = Math.round((performance.now() - awaySinceMs) / 1000)
    return `The mail server has not answered for ${seconds} s`
  })

  const isBack = () => {
    if (awaySinceMs !== undefined) log.info('the mail server answers again')
    awaySinceMs = undefined
    clearTimeout(timer)
  }
  const isAway = ({ code, responseCode }: Failure) => {
    log.warn({ code, responseCode }, 'the mail server cannot be used')
    awaySinceMs ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(checkServer, limits.recheckMs)
    timer.unref()
  }
  const checkServer = () => void transport.verify().then(isBack, isAway)
  checkServer()

  return {
    takes: (to) => offersUtf8 !== false || /^[\0-\x7f]*$/.test(to),
    async send({ to, subject, text, html }) {
      waiting += 1
      try {
        await transport.sendMail({
          from: mailFrom,
          to: { name: '', address: to },
          envelope: { from: parseAddress(mailFrom), to: [to] },
          subject,
          text,
          html,
          headers: { 'auto-submitted': 'auto-generated' },
          signal: AbortSignal.timeout(limits.sendMs),
        })
        isBack()
        sent.inc({ outcome: 'taken' })
      } catch (error) {
        const { code, responseCode = 0 } = error as Failure
        log.warn({ code, responseCode }, 'a mail was not sent')
        // A server that rejects a mail is reachable.
        if (responseCode > 0 && code !== 'EAUTH') isBack()
        else isAway(error as Failure)
        // Do not reveal whether a mailbox exists elsewhere.
        const refused = code === 'EENVELOPE' && responseCode >= 500
        sent.inc({ outcome: refused ? 'refused' : 'failed' })
        if (!refused) throw new LatchkeyError('MAIL_NOT_SENT', { cause: error })
      } finally {
        waiting -= 1
      }
    },
    close() {
      clearTimeout(timer)
      transport.close()
    },
  }
}

const parseAddress = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
