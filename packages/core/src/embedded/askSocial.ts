import type { SocialProvider } from '@latchkey/wire'
import type { App } from '../app.ts'
import { pushWalletRequest } from '../modal/pushWalletRequest.ts'
import { openSocialWindow } from './openSocialWindow.ts'

/** Begins a login at a provider in the click that chose it, and leads to the view that waits for it. */
export function askSocial(app: App, { provider }: { provider: SocialProvider }): void {
  const opened = openSocialWindow(app)
  const watched = opened && { isClosed: () => opened.closed }
  pushWalletRequest(app, { name: 'ConnectingSocial', provider, ...watched }, async (signal) => {
    const { loginSocial } = await import('./loginSocial.ts')
    return loginSocial(app, { provider, opened, signal })
  })
}
