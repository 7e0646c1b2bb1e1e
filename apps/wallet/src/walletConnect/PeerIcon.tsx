import type { PeerMetadata } from '@latchkey/walletconnect'
import { sanitizeText } from '@latchkey/wire'
import { getAppName } from './appMetadata.ts'

const iconLimit = 50_000

/**
 * The icon that the app sent as a data URL. Shows the app's first letter instead of an icon that
 * would have to be fetched.
 */
export function PeerIcon({ peer }: { peer: PeerMetadata }) {
  const icon = peer.icons.find(
    (one) => one.length <= iconLimit && /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/.test(one),
  )
  if (icon) return <img className="icon" src={icon} alt="" />
  return (
    <span className="icon" aria-hidden="true">
      {sanitizeText([...getAppName(peer, '?')][0] ?? '?').toUpperCase()}
    </span>
  )
}
