import type { App } from '../app.ts'

/** The host and the origin of the page that requests a sign-in. */
export function getPageLocation({ environment: { page } }: App): { domain: string; uri: string } {
  const { host, origin } = new URL(page?.location.href ?? 'http://localhost')
  return { domain: host, uri: origin }
}
