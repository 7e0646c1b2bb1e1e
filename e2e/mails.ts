import { expect, stack } from './fixtures.ts'

const mailTimeoutMs = 120_000

/** An email address that no other test uses. */
export const someEmail = () => `${crypto.randomUUID().slice(0, 8)}@people.example`

type Mail = { subject: string; text: string; receivedAtMs: number }

async function mailsTo(email: string): Promise<Mail[]> {
  const url = `${stack.urls.inbox}/messages?to=${encodeURIComponent(email)}`
  return (await (await fetch(url)).json()) as Mail[]
}

/**
 * The first part of `pattern` in the newest mail to an address, once more than `after` mails match.
 */
async function readMail(email: string, pattern: RegExp, after = 0): Promise<string> {
  const found = { text: '' }
  await expect
    .poll(
      async () => {
        const texts = (await mailsTo(email)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
        found.text = texts[0] ?? ''
        return texts.length
      },
      { timeout: mailTimeoutMs, intervals: [50] },
    )
    .toBeGreaterThan(after)
  return found.text
}

const code = /^ {4}(\d{6})$/m
const deviceLink = /^(http\S+\/device#\S+)$/m

/** The newest code mailed to an address, once more than `after` were. */
export const readCode = (email: string, after = 0) => readMail(email, code, after)

/** The newest link mailed to an address that approves a login from a new browser. */
export const readDeviceLink = (email: string) => readMail(email, deviceLink)

/** How many codes were mailed to an address. */
export const countCodes = async (email: string) =>
  (await mailsTo(email)).filter(({ text }) => code.test(text)).length

/** How many mails with this subject an address got. */
export const mailed = async (email: string, about: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject === about).length

/** How many mails an address got. */
export const countMails = async (email: string) => (await mailsTo(email)).length
