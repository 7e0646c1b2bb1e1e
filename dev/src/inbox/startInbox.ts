import { createServer } from 'node:http'
import type { Server } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { host } from '../ports.ts'
import { answerInbox, type Mail } from './answerInbox.ts'

/**
 * A mail server on this machine, with a page that shows the received mails. `mails` has the newest
 * first.
 */
export type Inbox = {
  readonly smtpUrl: string
  readonly url: string
  readonly mails: readonly Mail[]
  stop(): Promise<void>
}

const keptMails = 500
const mailMaxBytes = 1024 * 1024

/**
 * Accepts mail for every address by SMTP, keeps the last 500 in memory and shows them; port 0 is
 * any free one.
 */
export async function startInbox({
  offersUtf8 = true,
  ...parameters
}: {
  smtpPort: number
  port: number
  /** Letters beyond ASCII before the @ of an address. */
  offersUtf8?: boolean
}): Promise<Inbox> {
  const mails: Mail[] = []
  let received = 0
  const smtp = new SMTPServer({
    hideSMTPUTF8: !offersUtf8,
    // Real mail servers take quoted addresses with dots at an end, or two dots in a row.
    lenientAddressParsing: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: mailMaxBytes,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        // Quotes around the part before the @ are a matter of the protocol.
        const to = session.envelope.rcptTo.map(({ address }) =>
          address.replace(/^"([^"\\]*)"@/, '$1@'),
        )
        const { mailFrom } = session.envelope
        received += 1
        const known = { id: String(received), to, from: mailFrom ? mailFrom.address : '' }
        PostalMime.parse(Buffer.concat(chunks)).then(
          ({ subject = '', text = '', html = '', headers }) => {
            const read = headers.map(({ key, value }) => ({ key, value }))
            mails.unshift({
              ...known,
              subject,
              text,
              html,
              headers: read,
              receivedAtMs: Date.now(),
            })
            mails.splice(keptMails)
            done()
          },
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        )
      })
    },
  })
  // A client that disconnects needs no handling.
  smtp.on('error', () => {})
  const page = createServer((request, response) => answerInbox(mails, { request, response }))
  const smtpPort = await listen(smtp.server, parameters.smtpPort)
  const port = await listen(page, parameters.port)
  return {
    smtpUrl: `smtp://${host}:${smtpPort}`,
    url: `http://${host}:${port}`,
    mails,
    async stop() {
      page.closeAllConnections()
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise((resolve) => page.close(resolve)),
      ])
    },
  }
}

const listen = (server: Server, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
