import { LatchkeyError, listenChannel, type RemoteWindow } from '@latchkey/wire'
import { windowProtocol } from './windowProtocol.ts'

type PopupLogin = { readonly peer: RemoteWindow; readonly tx: string; readonly challenge: string }

/**
 * Answers a frame that requests exactly this login, and goes to the provider when the frame
 * confirms. Returns a function that stops.
 */
export function answerFrame(window: Window, { peer, tx: own, challenge }: PopupLogin): () => void {
  const { origin } = window.location
  const meet = ({ tx }: { tx: string }) => {
    if (tx !== own) throw new LatchkeyError('LOGIN_ENDED')
    return { challenge }
  }
  const go = () => {
    // After the answer has left.
    setTimeout(() => window.location.replace('/oauth/start'))
    return {}
  }
  return listenChannel({
    window,
    peer,
    peerOrigin: origin,
    allowedOrigin: (other) => other === origin,
    protocol: windowProtocol,
    onConnect: () => ({ MEET: meet, GO: go }),
  })
}
