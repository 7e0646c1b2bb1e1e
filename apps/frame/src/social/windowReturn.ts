import {
  authHandle,
  authToken,
  buildSocialReturn,
  parseBoundedJson,
  socialProvider,
} from '@latchkey/wire'
import * as z from 'zod/mini'

const saved = z.object({
  provider: socialProvider,
  /**
   * The challenge of the window's report: it proves to the frame that this browser went to the
   * provider.
   */
  challenge: authToken,
  returnUrl: z.string(),
})
type Saved = z.infer<typeof saved>
const storeKey = 'latchkey-social-return'

/**
 * Reads the fragment of a login's address: the login, and the page to return to if the window
 * cannot reach that page.
 */
export function readReturnAddress(
  fragment: string,
): { readonly tx: string; readonly returnUrl: string | undefined } | undefined {
  const [, tx, encoded] = /^([^.]*)(?:\.(.*))?$/s.exec(fragment) ?? []
  if (!z.safeParse(authHandle, tx).success || tx === undefined) return undefined
  try {
    return { tx, returnUrl: encoded === undefined ? undefined : decodeURIComponent(encoded) }
  } catch {
    return { tx, returnUrl: undefined }
  }
}

/**
 * Returns the page to return to if its origin is exactly the origin that began the login, according
 * to the server, and not our own: a link to our pages would lead there as if we had written
 * it.
 */
export function getReturnUrl(
  given: string | undefined,
  origin: string,
  own: { readonly origin: string },
): string | undefined {
  try {
    const url = new URL(given ?? '')
    const isPlain = url.username === '' && url.password === '' && /^https?:$/.test(url.protocol)
    return isPlain && url.origin === origin && origin !== own.origin ? url.href : undefined
  } catch {
    return undefined
  }
}

/** Stores the page to return to in this tab only. */
export function saveReturn(area: Storage, { provider, challenge, returnUrl }: Saved): void {
  area.setItem(storeKey, JSON.stringify({ provider, challenge, returnUrl }))
}

/** Reads what {@link saveReturn} has stored, once. */
export function takeReturn(area: Storage): Saved | undefined {
  try {
    const parsed = z.safeParse(saved, parseBoundedJson(area.getItem(storeKey) ?? ''))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  } finally {
    area.removeItem(storeKey)
  }
}

/**
 * Builds the page's address with the result for its frame in the fragment, which is never sent to a
 * server.
 */
export function buildReturn({ returnUrl, provider, challenge }: Saved): string {
  const url = new URL(returnUrl)
  url.hash = buildSocialReturn({ provider, challenge, own: url.hash.slice(1) })
  return url.href
}
