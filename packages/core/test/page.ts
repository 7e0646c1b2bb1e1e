import type { Page } from '../src/directory/getPlatform.ts'

export const userAgents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
} as const

export type TestPage = Page &
  EventTarget & {
    readonly opened: { url: string; target: string; features: string }[]
    /** The URLs that the page navigated to. */
    readonly assigned: string[]
    isClosed: boolean
    hasFocus: boolean
    visibilityState: 'visible' | 'hidden'
    /** Hides the page and shows it again, like on a phone when a wallet comes to the front. */
    leave(): void
    comeBack(): void
  }

/** The used parts of a browser's window. Records the windows that the page opens. */
export function createPage(
  parameters: {
    userAgent?: string
    maxTouchPoints?: number
    isFramed?: boolean
    isTelegram?: boolean
  } = {},
): TestPage {
  const { userAgent = userAgents.mac, maxTouchPoints = 0, isFramed, isTelegram } = parameters
  const self = {}
  const page: TestPage = Object.assign(new EventTarget(), {
    navigator: { userAgent, maxTouchPoints },
    location: {
      href: 'https://app.example/swap?from=eth',
      assign: (url: string) => void page.assigned.push(url),
    },
    assigned: [] as string[],
    history: {
      state: null,
      replaceState: (_state: unknown, _unused: string, href: string) =>
        void Object.assign(page.location, { href }),
    },
    close: () => {
      page.isClosed = true
    },
    isClosed: false,
    self,
    top: isFramed ? {} : self,
    opened: [] as TestPage['opened'],
    hasFocus: true,
    visibilityState: 'visible' as const,
    document: {
      hasFocus: (): boolean => page.hasFocus,
      get visibilityState(): string {
        return page.visibilityState
      },
    },
    open: (url: string, target: string, features: string) =>
      page.opened.push({ url, target, features }),
    leave() {
      page.visibilityState = 'hidden'
      page.dispatchEvent(new Event('visibilitychange'))
    },
    comeBack() {
      page.visibilityState = 'visible'
      page.dispatchEvent(new Event('visibilitychange'))
    },
    ...(isTelegram && { TelegramWebviewProxy: {} }),
  })
  return page
}

/** The window of a page, in which wallets announce themselves by events. */
export const createWindow = (): EventTarget =>
  Object.assign(new EventTarget(), { location: { href: 'https://app.example/' } })
