import type { App } from '@latchkey/core'
import { navigate } from '../useRoute.ts'

/** The pages that notices open. */
const pages = ['/activity', '/allowances']

/** Goes to the page of a notice that the user has pressed, and opens what the notice is about. */
export function openLink(app: App, link: unknown): void {
  const [path = '', query] = String(link).split('?')
  if (!pages.includes(path)) return
  navigate(path)
  if (query)
    import('./openNotice.ts')
      .then(({ openNotice }) => openNotice(app, query))
      // The page is open, and its list has the transaction.
      .catch(() => {})
}

/**
 * Opens what the notice is about that has opened this page, and those that the user presses later,
 * which the service worker reports. Returns a function that ends this.
 */
export function followPresses(app: App): () => void {
  const worker = navigator.serviceWorker
  const open = ({ data }: MessageEvent<unknown>) => openLink(app, data)
  if (location.search) openLink(app, location.pathname + location.search)
  worker?.addEventListener('message', open)
  return () => worker?.removeEventListener('message', open)
}
