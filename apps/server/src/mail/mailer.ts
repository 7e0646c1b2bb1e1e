import { LatchkeyError } from '@latchkey/wire'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { isLoopback } from '../projects/originAllowed.ts'

/** A letter in both forms; its links and codes are in the text as well. */
export type Letter = { readonly subject: string; readonly text: string; readonly html: string }

/** Sends letters. `to` is one normalised address. */
export type Mailer = {
  /** Resolves when the mail server took the letter, or refused this recipient. Throws `MAIL_NOT_SENT`. */
  send(letter: Letter & { readonly to: string }): Promise<void>
  close(): void
}

const timeoutMs = 10_000

/** The mailer of the configuration, or undefined when there is no mail server. */
export function openMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  log: Logger,
): Mailer | undefined {
  if (smtpUrl === undefined) return undefined
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    // Codes do not cross a network in the clear; `?requireTLS=false` in the URL says otherwise.
    requireTLS: !isLoopback(smtpUrl.replace(/^smtps?:/, 'http:')),
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }) {
      try {
        await transport.sendMail({
          from: mailFrom,
          to: { name: '', address: to },
          envelope: { from: addressOf(mailFrom), to: [to] },
          subject,
          text,
          html,
          headers: { 'auto-submitted': 'auto-generated' },
        })
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        log.warn({ code, responseCode }, 'a mail was not sent')
        // Whether a mailbox exists elsewhere is nothing we tell.
        if (code === 'EENVELOPE' && (responseCode ?? 0) >= 500) return
        throw new LatchkeyError('MAIL_NOT_SENT')
      }
    },
    close: () => transport.close(),
  }
}

const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
