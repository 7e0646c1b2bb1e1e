/**
 * How long this browser keeps what the frame stores: `none` is the memory of the document, `visit` ends when the page
 * or the browser is closed.
 */
export type StorageLife = 'none' | 'visit' | 'lasting'

type Brave = { readonly isBrave?: () => Promise<boolean> }
type Here = {
  readonly document: { cookie: string }
  readonly location: { readonly origin: string }
  readonly navigator: { readonly userAgent: string; readonly brave?: Brave }
}

/**
 * Returns how long the frame's storage lasts inside a page at `origin`. No interface tells storage that ends with the
 * visit from lasting storage, so the rules of the browsers decide: WebKit holds the databases of frames of another
 * origin in memory (https://webkit.org/tracking-prevention/), and Brave deletes those of other sites after the last
 * page of the site is closed (https://brave.com/privacy-updates/7-ephemeral-storage/). Chromium and Firefox keep them.
 * A private window, and a user who has changed these rules, are not recognized.
 */
export async function readStorageLife(
  { document, location, navigator }: Here,
  origin: string,
): Promise<Exclude<StorageLife, 'none'>> {
  if (origin === location.origin) return 'lasting'
  if (isWebkit(navigator.userAgent)) return 'visit'
  const isBrave = (await navigator.brave?.isBrave?.().catch(() => false)) === true
  return isBrave && isOtherSite(document) ? 'visit' : 'lasting'
}

/** Chromium names WebKit too. Every browser on iOS is WebKit, and names Chrome as `CriOS`. */
const isWebkit = (userAgent: string) =>
  /AppleWebKit\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)

/** Browsers refuse strict cookies to frames of other sites. The cookie is deleted before anything can send it. */
function isOtherSite(document: Here['document']): boolean {
  const cookie = 'latchkey-site=same'
  document.cookie = `${cookie}; SameSite=Strict`
  const isOther = !document.cookie.includes(cookie)
  document.cookie = `${cookie}; Max-Age=0; SameSite=Strict`
  return isOther
}
