import type { PeerMetadata } from '@latchkey/walletconnect'
import { PeerIcon } from '../PeerIcon.tsx'
import { texts } from '../texts.ts'
import { useTimeLeft } from '../useTimeLeft.ts'

/** An app's icon, the time left to respond, and the relay. */
export function RequestPeer({
  peer,
  expirySeconds,
  relayUrl,
}: {
  peer: PeerMetadata
  expirySeconds: number
  relayUrl: string
}) {
  const left = useTimeLeft(expirySeconds)
  return (
    <div className="peer">
      <PeerIcon peer={peer} />
      <p>
        {left !== undefined && texts.expiresIn(left)}
        <small>{texts.via(relayUrl)}</small>
      </p>
    </div>
  )
}
