import { openTabChannel } from '../openTabChannel.ts'

const channelName = 'latchkey wallet'

/**
 * Has every open frame of this browser check which wallet is in use. The message itself carries
 * nothing.
 */
export function announceWallet(): void {
  const channel = openTabChannel(channelName)
  channel.postMessage('')
  channel.close()
}

/** Calls `look` when a frame of this browser has news of the wallet in use. */
export function watchWallet(look: () => Promise<void>, closed: AbortSignal): void {
  const channel = openTabChannel(channelName)
  // The server is unreachable now; the next check requests it again.
  channel.onmessage = () => void look().catch(() => {})
  closed.addEventListener('abort', () => channel.close())
}
