import type { Metadata } from '@latchkey/walletconnect'
import { formatTimeLeft } from '../formatTimeLeft.ts'
import { PeerIcon } from '../PeerIcon.tsx'
import { texts } from '../texts.ts'
import { useNow } from '../useNow.ts'

/** An app's icon, how long it waits for an answer, and the relay between. */
export function RequestPeer({
  peer,
  expirySeconds,
  relayUrl,
}: {
  peer: Metadata
  expirySeconds: number
  relayUrl: string
}) {
  const left = formatTimeLeft(expirySeconds, useNow())
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
