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
  /** That of the window's report: it shows the frame that this browser went to the provider. */
  challenge: authToken,
  returnUrl: z.string(),
})
type Saved = z.infer<typeof saved>
const storeKey = 'latchkey-social-return'

/**
 * What the fragment of a login's address holds: the login, and the page to return to, if the window
 * cannot reach it.
 */
export function readAddress(
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
 * The page to return to, if it is of exactly the origin that began the login, according to the
 * server, and not of our own: a link to one of our pages would lead there as if we had written it.
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

/** Remembers in this tab alone where it returns to. */
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

/** The page's address with the result for its frame in the fragment, which no server sees. */
export function buildReturn({ returnUrl, provider, challenge }: Saved): string {
  const url = new URL(returnUrl)
  url.hash = buildSocialReturn({ provider, challenge, own: url.hash.slice(1) })
  return url.href
}
