import type { App } from '../app.ts'
import { getPlatform } from './getPlatform.ts'
import type { WalletLink } from './walletLinks.ts'

/**
 * Opens a wallet by a link: in place, at the top from a frame, in a new window from Telegram. Must
 * run within a tap. Once it has led to a connection, the same wallet is brought to the front for
 * each request.
 */
export function openLink(app: App, parameters: { link: WalletLink; name: string }): void {
  const { link, name } = parameters
  if (link.base) app.storage.set('openedLink', { href: link.base, name })
  const { page } = app.environment
  const target = link.opensPage ? '_blank' : getTarget(getPlatform({ page }))
  page?.open(link.href, target, 'noopener noreferrer')
}

const getTarget = ({ isFramed, isTelegram }: ReturnType<typeof getPlatform>) => {
  if (isFramed) return '_top'
  return isTelegram ? '_blank' : '_self'
}
