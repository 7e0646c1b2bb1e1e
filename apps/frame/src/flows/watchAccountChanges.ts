import { getWalletRoute, readMeRoute } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { openTabChannel } from '../openTabChannel.ts'
import { announceWallet } from './walletNews.ts'

const channelName = 'latchkey session'
const everyMs = 5 * 60_000

/**
 * Keeps an open page up to date with what happens to its account elsewhere. Tabs of this browser
 * notify each other at once. Changes from other browsers (a new address, a sign-out of this
 * browser, another wallet in use) are polled from the server when the page becomes visible, and
 * every five minutes while it stays visible.
 */
export function watchAccountChanges(
  { session, window }: Pick<FrameContext, 'session' | 'window'>,
  closed: AbortSignal,
): void {
  const channel = openTabChannel(channelName)
  let seen: string | undefined
  const isNews = (found: Awaited<ReturnType<typeof session.read>>) => {
    const next = JSON.stringify([found?.deviceId, found?.email])
    const differs = next !== seen
    seen = next
    return differs
  }
  void session.read().then(isNews)
  const off = session.subscribe((next) => isNews(next) && channel.postMessage(''))
  // The message itself carries nothing: the stored session counts.
  channel.onmessage = async () => isNews(await session.read()) && session.announce()

  let wallet: string | undefined
  /**
   * The server only reports when to check; the key worker verifies whether there is a move to
   * follow.
   */
  const lookAtWallet = async () => {
    const shown = await session.call(getWalletRoute, {}, { signal: closed })
    const before = wallet
    wallet = shown.wallet?.id ?? ''
    if (before !== undefined && before !== wallet) announceWallet()
  }
  const { document } = window
  const ask = async () => {
    if (document.visibilityState !== 'visible') return
    const found = await session.read()
    if (!found) return
    const { userId, email } = await session.call(readMeRoute, {}, { signal: closed })
    if (email !== found.email) await session.setEmail({ userId, email })
    await lookAtWallet()
  }
  // The server is unreachable now; the next check requests it again.
  const look = () => void ask().catch(() => {})
  const timer = setInterval(look, everyMs)
  document.addEventListener('visibilitychange', look)
  closed.addEventListener('abort', () => {
    off()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    channel.close()
  })
}
