import { canParseUrl, errorCodeFromText, LatchkeyError } from '@latchkey/wire'

/** Close code of a relay that refuses this client. The close reason states why. */
export const refusedCode = 3000

/** The relay's host, for error messages. Leaves out the query, which may contain a secret. */
const getHost = (url: string): string => (canParseUrl(url) ? new URL(url).host : '')

/**
 * The error of a relay that cannot be reached or cannot do it now. In the second case `cause` is
 * the relay's error.
 */
export const relayUnreachable = (
  url: string,
  cause?: unknown,
): LatchkeyError<'RELAY_UNREACHABLE'> =>
  new LatchkeyError('RELAY_UNREACHABLE', { data: { host: getHost(url) }, cause })

/** The error of a relay that refused something permanently; `reason` is the relay's message. */
export const relayRefused = (url: string, reason: string): LatchkeyError<'RELAY_REFUSED'> =>
  new LatchkeyError('RELAY_REFUSED', { data: { host: getHost(url), reason: reason.slice(0, 200) } })

/**
 * The error of a relay that refuses this client: INVALID_APP_CONFIGURATION, INVALID_PROJECT_ID,
 * SESSION_EXPIRED or RELAY_REFUSED.
 */
export function toRefusal(url: string, reason: string): LatchkeyError {
  const code = parseRelayTime(reason) === undefined ? errorCodeFromText(reason) : 'SESSION_EXPIRED'
  if (code === 'INVALID_APP_CONFIGURATION')
    return new LatchkeyError(code, { data: { origin: globalThis.location?.origin ?? '' } })
  if (code === 'INVALID_PROJECT_ID' || code === 'SESSION_EXPIRED') return new LatchkeyError(code)
  return relayRefused(url, reason)
}

/**
 * Reads the relay's time (milliseconds) from a refusal of a token that is not yet valid or has
 * expired. Undefined if the reason does not contain it.
 */
export function parseRelayTime(reason: string): number | undefined {
  const [, sign, limit, leeway] =
    /now ([+-]) time_leeway: (\d{1,12}), time_leeway: (\d{1,6})\b/.exec(reason) ?? []
  if (limit === undefined) return undefined
  return (Number(limit) - Number(`${sign}${leeway}`)) * 1000
}
