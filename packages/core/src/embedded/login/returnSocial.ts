import { readSocialReturn } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { openWalletRequest } from '../../modal/pushWalletRequest.ts'
import { getFrame } from '../frame/getFrame.ts'
import { connectSocial } from './loginSocial.ts'

/**
 * How a login ends in the tab that came back: here, or in the tab of this page that waits for it.
 */
type SocialReturnEnd = 'here' | 'elsewhere'

/**
 * Continues a social login for which the page navigated away, or for which another tab opened this
 * page. Restores the page's own URL fragment at once.
 */
export function returnSocial(app: App): void {
  const { page } = app.environment
  if (!page) return
  const url = new URL(page.location.href)
  const found = readSocialReturn(url.hash.slice(1))
  if (!found) return
  const { provider, challenge, own } = found
  url.hash = own
  page.history.replaceState(page.history.state, '', url.href)
  openWalletRequest(app, { name: 'ConnectingSocial', provider }, (signal) =>
    attempt<SocialReturnEnd>(async () => {
      const frame = await getFrame(app)
      const { uri } = await frame.request('APP_RETURN_SOCIAL', { challenge }, { signal })
      if (uri === undefined) {
        page.close()
        return 'elsewhere'
      }
      await connectSocial(app, frame, { uri, provider, signal })
      return 'here'
    }),
  )
}
