import { getPlatform, openLink } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'

type RemoteWallet = {
  name: string
  /** Whether it is an app on this phone, and not on another device. */
  isHere: boolean
  /** Brings it to the front if called in a tap; absent if no link is known. */
  open: (() => void) | undefined
}

/**
 * The wallet elsewhere in which the account's requests wait; undefined for a wallet of this
 * browser.
 */
export function useRemoteWallet({
  namespace,
}: {
  namespace?: Namespace | undefined
} = {}): RemoteWallet | undefined {
  const app = useApp()
  const { connector, wallet } = useAccount({ namespace })
  if (!connector?.traits?.pairs) return undefined
  const isHere = getPlatform({ page: app.environment.page }).isPhone
  const link = app.storage.get('walletLink')
  const name = wallet?.name ?? connector.name
  return {
    name,
    isHere,
    open: isHere && link ? () => openLink(app, { link: { href: link.href }, name }) : undefined,
  }
}
