/**
 * The time for which this browser keeps what the frame stores. `none`: as long as the document.
 * `visit`: until the page or the browser is closed.
 */
export type StorageLife = 'none' | 'visit' | 'lasting'

type Brave = { readonly isBrave?: () => Promise<boolean> }
type Here = {
  readonly document: { cookie: string }
  readonly location: { readonly origin: string }
  readonly navigator: {
    readonly userAgent: string
    readonly brave?: Brave
    readonly storage?: { readonly getDirectory?: () => Promise<unknown> }
  }
}

/**
 * Returns how long the frame's storage lasts inside a page at `origin`. No interface tells storage
 * that ends with the visit from lasting storage, so the rules of the browsers decide. WebKit holds
 * the databases of frames of another origin in memory (https://webkit.org/tracking-prevention/).
 * Brave deletes databases of other sites after the last page of the site is closed
 * (https://brave.com/privacy-updates/7-ephemeral-storage/). Chromium and Firefox keep them, except
 * in private windows. Firefox refuses these windows a private file system. In Chromium,
 * they differ in nothing and are not recognized, nor are users who have changed these rules.
 */
export async function readStorageLife(
  { document, location, navigator }: Here,
  origin: string,
): Promise<Exclude<StorageLife, 'none'>> {
  if (origin === location.origin) return 'lasting'
  if (isWebkit(navigator.userAgent) || (await refusesFiles(navigator))) return 'visit'
  const isBrave = (await navigator.brave?.isBrave?.().catch(() => false)) === true
  return isBrave && isOtherSite(document) ? 'visit' : 'lasting'
}

/**
 * Chromium's user agent names WebKit too. Every browser on iOS is WebKit, and calls Chrome `CriOS`.
 */
const isWebkit = (userAgent: string) =>
  /AppleWebKit\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)

const refusesFiles = async ({ storage }: Here['navigator']) =>
  storage?.getDirectory?.().then(
    () => false,
    () => true,
  )

/**
 * Whether the page belongs to another site: browsers refuse strict cookies to frames of other
 * sites. The cookie is deleted before anything can send it.
 */
function isOtherSite(document: Here['document']): boolean {
  const cookie = 'latchkey-site=same'
  document.cookie = `${cookie}; SameSite=Strict`
  const isBlocked = !document.cookie.includes(cookie)
  document.cookie = `${cookie}; Max-Age=0; SameSite=Strict`
  return isBlocked
}
