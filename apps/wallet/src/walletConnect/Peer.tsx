import type { Metadata } from '@latchkey/walletconnect'
import { showText } from '../showText.ts'

const iconLimit = 50_000
const nameLimit = 80
const urlLimit = 200

/** The name an app gives itself. */
export const nameOf = ({ name }: Metadata, otherwise: string): string =>
  name.trim().slice(0, nameLimit) || otherwise

/** The address an app says it has. */
export const urlOf = ({ url }: Metadata, otherwise: string): string =>
  url.trim().slice(0, urlLimit) || otherwise

/** An icon that the app sent along; one that would have to be fetched from somewhere is its first letter. */
export function PeerIcon({ peer }: { peer: Metadata }) {
  const icon = peer.icons.find(
    (one) => one.length <= iconLimit && /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/.test(one),
  )
  if (icon) return <img className="icon" src={icon} alt="" />
  return (
    <span className="icon" aria-hidden="true">
      {showText([...nameOf(peer, '?')][0] ?? '?').toUpperCase()}
    </span>
  )
}
