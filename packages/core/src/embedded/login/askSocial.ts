import type { SocialProvider } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { pushView } from '../../modal/navigate.ts'
import { pushWalletRequest } from '../../modal/pushWalletRequest.ts'
import { isInApp, refusesInApp } from './inAppView.ts'
import type { SocialWindow } from './loginSocial.ts'

/**
 * Begins a login at a provider in the click that chose it, and shows the view that waits for it. In
 * an in-app browser, the page itself navigates to the provider, because such a browser opens no
 * windows, or opens them in place of the page.
 */
export function askSocial(app: App, { provider }: { provider: SocialProvider }): void {
  if (provider === 'farcaster') {
    pushView(app, { name: 'ConnectingFarcaster' })
    return
  }
  if (refusesInApp(app, provider)) {
    pushView(app, { name: 'ConnectingSocial', provider, isRefused: true })
    return
  }
  if (isInApp(app)) {
    pushWalletRequest(app, { name: 'ConnectingSocial', provider, inTab: true }, async (signal) => {
      const { loginSocialInTab } = await import('./loginSocial.ts')
      return loginSocialInTab(app, { provider, signal })
    })
    return
  }
  const opened = openSocialWindow(app)
  const watched = opened && { isClosed: () => opened.closed }
  pushWalletRequest(app, { name: 'ConnectingSocial', provider, ...watched }, async (signal) => {
    const { loginSocial } = await import('./loginSocial.ts')
    return loginSocial(app, { provider, opened, signal })
  })
}

const features = 'popup,width=480,height=720'

/**
 * Opens the window of a login. Call it in the click, because browsers allow it only there.
 * Undefined if the browser blocked it.
 */
export const openSocialWindow = ({ environment: { page } }: App): SocialWindow | undefined =>
  (page?.open('about:blank', 'latchkey-social', features) as SocialWindow | null) ?? undefined
