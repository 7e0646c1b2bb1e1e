/**
 * The part of Web Locks that is used. `hold` is called when the lock on the name is granted; the
 * lock is released when the returned promise settles.
 */
type Locks = {
  request(name: string, options: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void>
}

/** The part of the browser's window that is used. */
export type Page = {
  readonly navigator: {
    readonly userAgent: string
    readonly maxTouchPoints: number
    sendBeacon?(url: string, body: string): boolean
    /** Web Locks, which all tabs of an origin share. */
    readonly locks?: Locks
  }
  readonly location: { readonly href: string; assign(url: string): void }
  readonly history: {
    readonly state: unknown
    replaceState(state: unknown, unused: string, url: string): void
  }
  readonly document: { hasFocus(): boolean; readonly visibilityState: string }
  readonly top: unknown
  readonly self: unknown
  open(url: string, target: string, features: string): unknown
  close(): void
} & Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** The platform of the page, as needed for links to wallets. `isPhone` includes tablets. */
export type Platform = {
  isPhone: boolean
  isIos: boolean
  isAndroid: boolean
  isTelegram: boolean
  isFramed: boolean
}

const telegramMarks = ['TelegramWebviewProxy', 'Telegram', 'TelegramWebviewProxyProto']

/** Detects the platform from the browser; on a server it is a desktop. */
export function getPlatform({ page }: { page: Page | undefined }): Platform {
  const { userAgent = '', maxTouchPoints = 0 } = page?.navigator ?? {}
  // iPads report the platform of a Mac.
  const isIos =
    /iPhone|iPad|iPod/i.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const isAndroid = /Android/i.test(userAgent)
  return {
    isPhone: isIos || isAndroid || /webOS|BlackBerry|Opera Mini|IEMobile/i.test(userAgent),
    isIos,
    isAndroid,
    isTelegram: page !== undefined && telegramMarks.some((mark) => mark in page),
    isFramed: page !== undefined && page.top !== page.self,
  }
}
