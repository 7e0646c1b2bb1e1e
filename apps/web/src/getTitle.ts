import { text } from './locales/text.ts'
import { findViewPage } from './pages/viewPages.ts'
import { isPayPath, readReceiver } from './pay/readReceiver.ts'

const titles: Readonly<Record<string, string>> = {
  '/developer': text('dev.title'),
  '/status': text('status.title'),
  '/contacts': text('contacts.title'),
  '/watch': text('watch.title'),
  '/request': text('request.title'),
}

/** The title of the page at a path; undefined at an unknown path, and for the portfolio. */
export function getTitle(route: string): string | undefined {
  if (isPayPath(route)) {
    const receiver = readReceiver(route)
    return receiver ? text('pay.title', { name: receiver.to }) : text('pay.unusable')
  }
  const page = findViewPage(route)
  return page ? text(`nav.${page.name}`) : titles[route]
}
