/**
 * How we name ourselves to relays: `wc-2/<language>-<version>/<platform>`, and no more than that.
 */
const userAgent = 'wc-2/js-latchkey-1/web'

/**
 * The address a socket is opened at: the configured one with its query, and ours, sorted by key.
 * `useOnCloseEvent` asks for refusals as close codes, since a page cannot read the status of an
 * upgrade. Throws TypeError.
 */
export function relayAddress(url: string, token: string, projectId: string | undefined): string {
  const address = new URL(url)
  if (!/^wss?:$/.test(address.protocol)) throw new TypeError('not a WebSocket address')
  const { searchParams } = address
  searchParams.set('auth', token)
  if (projectId !== undefined) searchParams.set('projectId', projectId)
  searchParams.set('ua', userAgent)
  searchParams.set('useOnCloseEvent', 'true')
  searchParams.sort()
  return address.href
}
