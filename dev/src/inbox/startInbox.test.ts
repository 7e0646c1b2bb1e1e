import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Inbox, startInbox } from './startInbox.ts'

let inbox: Inbox
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
})
afterAll(() => inbox.stop())

/** Sends SMTP lines in sequence; resolves with the last response. */
function say(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(inbox.smtpUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const left = [...lines]
    let last = ''
    socket.on('data', (data) => {
      last = String(data)
      const line = left.shift()
      if (line === undefined) return socket.end()
      socket.write(`${line}\r\n`)
    })
    socket.on('close', () => resolve(last))
    socket.on('error', reject)
  })
}

const mail = (subject: string, html: string, to = 'ada@example.com') =>
  say([
    'EHLO test',
    'MAIL FROM:<no-reply@localhost>',
    `RCPT TO:<${to}>`,
    'DATA',
    `Subject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n.`,
  ])

test('default: a mail arrives, the newest is first, by page and by JSON', async () => {
  expect(await mail('First', '<p>one</p>')).toMatch(/^250 /)
  await mail('=?utf-8?q?Gr=C3=BC=C3=9Fe?=', '<p>two</p>', 'bob@example.com')
  const all = await (await fetch(`${inbox.url}/messages`)).json()
  expect(all.map(({ subject }: { subject: string }) => subject)).toEqual(['Grüße', 'First'])
  const ada = await (await fetch(`${inbox.url}/messages?to=ada@example.com`)).json()
  expect(ada).toMatchObject([
    { from: 'no-reply@localhost', to: ['ada@example.com'], subject: 'First' },
  ])
  const page = await (await fetch(inbox.url)).text()
  expect(page.indexOf('Grüße')).toBeLessThan(page.indexOf('First'))
})

test('behavior: a mail is shown as plain text, its HTML in a sandbox that loads nothing', async () => {
  await mail(
    '<script>alert(1)</script>',
    '<script>alert(2)</script><img src="http://127.0.0.1:1/x">',
  )
  const page = await (await fetch(inbox.url)).text()
  expect(page).not.toContain('alert(1)</script>')
  expect(page).not.toContain('alert(2)')
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  const shown = await fetch(`${inbox.url}/messages/${inbox.mails[0]?.id}`)
  expect(shown.headers.get('content-security-policy')).toBe(
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'",
  )
})

test('error: other names, methods and paths', async () => {
  const ask = (host: string) =>
    new Promise((resolve) => {
      const { port } = new URL(inbox.url)
      const options = { host: '127.0.0.1', port, path: '/messages', headers: { host } }
      request(options, (response) => resolve(response.resume().statusCode)).end()
    })
  expect(await ask('evil.example')).toBe(421)
  expect(await ask('127.0.0.1.evil.example')).toBe(421)
  expect((await fetch(inbox.url, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${inbox.url}/messages/999`)).status).toBe(404)
  expect((await fetch(`${inbox.url}//`)).status).toBe(404)
})
