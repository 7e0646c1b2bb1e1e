/** The user agent sent to relays, `wc-2/<language>-<version>/<platform>` and nothing else. */
const userAgent = 'wc-2/js-latchkey-1/web'

/**
 * The address of a socket: the configured address with its query and our parameters, sorted by key.
 * `useOnCloseEvent` requests refusals as close codes, because a page cannot read the status of an
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
