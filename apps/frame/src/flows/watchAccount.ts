import { getWallet, readMe } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { openTabChannel } from '../openTabChannel.ts'
import { announceWallet } from './walletNews.ts'

const channelName = 'latchkey session'
const everyMs = 5 * 60_000

/**
 * Keeps an open page up to date with what happens to its account elsewhere. Other tabs of this
 * browser tell each other at once; what another browser did (an address changed, this one signed
 * out, another wallet in use) is asked of the server when the page becomes visible, and every five
 * minutes while it is.
 */
export function watchAccount(
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
  /** The server says only when to look; the key worker checks what there is to follow. */
  const lookAtWallet = async () => {
    const shown = await session.call(getWallet, {}, { signal: closed })
    const before = wallet
    wallet = shown.wallet?.id ?? ''
    if (before !== undefined && before !== wallet) announceWallet()
  }
  const { document } = window
  const ask = async () => {
    if (document.visibilityState !== 'visible') return
    const found = await session.read()
    if (!found) return
    const { userId, email } = await session.call(readMe, {}, { signal: closed })
    if (email !== found.email) await session.setEmail({ userId, email })
    await lookAtWallet()
  }
  // The server cannot be reached now and will be asked again.
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
