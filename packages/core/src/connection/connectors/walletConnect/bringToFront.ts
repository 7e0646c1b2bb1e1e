import { getPlatform, type Page } from '../../../directory/getPlatform.ts'

/**
 * Opens the wallet that a link once opened, so that it is in front when it gets a request. A page
 * without focus cannot open anything.
 */
export function bringToFront(parameters: {
  page: Page | undefined
  href: string
  requestId: number
  topic: string
}): void {
  const { page, href, requestId, topic } = parameters
  if (!page?.document.hasFocus()) return
  const url = requestUrl({ href, requestId, topic })
  const { isFramed, isTelegram } = getPlatform({ page })
  const isNewWindow = isTelegram || /^https?:/i.test(url)
  page.open(url, isFramed ? '_top' : isNewWindow ? '_blank' : '_self', 'noreferrer noopener')
}

/**
 * The URL that opens a wallet for a pending request. Telegram passes a single parameter to a mini
 * app, in base64 without padding.
 */
function requestUrl(parameters: { href: string; requestId: number; topic: string }) {
  const { href, requestId, topic } = parameters
  const query = `requestId=${requestId}&sessionTopic=${topic}`
  const base = href.endsWith('/') ? href.slice(0, -1) : href
  if (!base.startsWith('https://t.me')) return `${base}/wc?${query}`
  return `${base}${base.includes('?') ? '&' : '?'}startapp=${btoa(query).replace(/=+$/, '')}`
}
