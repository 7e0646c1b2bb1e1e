import type { IncomingMessage, ServerResponse } from 'node:http'

/** A received mail. `to` has the recipients of the envelope, not of the mail's header. */
export type Mail = {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly receivedAtMs: number
}

const page =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// A mail may link to pages, which open in a new tab. It runs no scripts and loads nothing.
const letter =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'"

type InboxResponse = {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly policy?: string
}

/**
 * Serves `/` (the newest first), `/messages` (JSON; `?to=` filters by recipient), and each mail's
 * HTML.
 */
export function answerInbox(
  mails: readonly Mail[],
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const { status, type, body, policy = page } = createAnswer(mails, request)
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function createAnswer(
  mails: readonly Mail[],
  { method, headers, url = '/' }: IncomingMessage,
): InboxResponse {
  // Otherwise a foreign page whose name points here could read codes.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? ''))
    return refused(421, 'This inbox goes by 127.0.0.1 and localhost alone')
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'Only GET')
  if (!URL.canParse(url, 'http://inbox')) return refused(404, 'There is nothing here')
  const { pathname, searchParams } = new URL(url, 'http://inbox')
  if (pathname === '/') return { status: 200, type: 'text/html', body: listPage(mails) }
  if (pathname === '/inbox.css') return { status: 200, type: 'text/css', body: styles }
  if (pathname === '/inbox.js') return { status: 200, type: 'text/javascript', body: script }
  if (pathname === '/messages') {
    const to = searchParams.get('to')
    const matching = mails.filter((mail) => to === null || mail.to.includes(to))
    return { status: 200, type: 'application/json', body: JSON.stringify(matching) }
  }
  const id = /^\/messages\/(\d+)$/.exec(pathname)?.[1]
  const mail = mails.find((one) => one.id === id)
  if (mail === undefined) return refused(404, 'There is nothing here')
  const body = `<base target="_blank">${mail.html || asHtml(mail.text)}`
  return { status: 200, type: 'text/html', body, policy: letter }
}

const refused = (status: number, text: string): InboxResponse => ({
  status,
  type: 'text/plain',
  body: `${text}\n`,
})

const listPage = (mails: readonly Mail[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Latchkey inbox</title><link rel="stylesheet" href="/inbox.css"><script src="/inbox.js" defer></script></head>
<body data-newest="${mails[0]?.id ?? '0'}"><header><h1>Inbox</h1>
<p>Every email that Latchkey sends on this machine arrives here and goes nowhere else.</p></header>
<main>${mails.map(toListItem).join('\n') || '<p class="empty">No email yet. Sign in with any email address, and its code comes here.</p>'}</main></body></html>`

// The newest mail is open, because the user usually waits for it.
const toListItem = (mail: Mail, index: number) => `<details${index < 1 ? ' open' : ''}>
<summary><strong>${asHtml(mail.subject)}</strong><span>to ${asHtml(mail.to.join(', '))}</span><time>${new Date(mail.receivedAtMs).toISOString().slice(11, 19)} UTC</time></summary>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" title="${asHtml(mail.subject)}" src="/messages/${mail.id}"></iframe>
<h2>Plain text</h2><pre>${asHtml(mail.text)}</pre></details>`

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const asHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')

const script = `const newest = document.body.dataset.newest
setInterval(async () => {
  const mails = await fetch('/messages').then((answer) => answer.json()).catch(() => undefined)
  if (mails && (mails[0]?.id ?? '0') !== newest) location.reload()
}, 1000)
`

const styles = `:root { color-scheme: dark light; font: 15px/1.5 Inter, system-ui, sans-serif }
body { max-width: 720px; margin: 0 auto; padding: 24px }
h1 { font-size: 22px; margin: 0 } h2 { font-size: 13px; font-weight: 500; margin: 16px 0 4px }
header p, .empty, summary span, time { opacity: 0.7 }
details { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 16px; padding: 12px 16px; margin: 12px 0 }
summary { display: flex; flex-wrap: wrap; gap: 4px 12px; min-height: 44px; align-items: center; cursor: pointer; font-variant-numeric: tabular-nums }
summary strong { flex: 1 1 100% } time { margin-inline-start: auto }
iframe { width: 100%; height: 520px; border: 0; border-radius: 12px; background: #fff; margin-top: 12px }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; margin: 0 }
`
