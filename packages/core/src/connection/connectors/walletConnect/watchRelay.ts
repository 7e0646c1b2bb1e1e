import { LatchkeyError, toError } from '@latchkey/wire'
import type { WalletConnectContext } from './context.ts'
import { getHost } from './pairings.ts'
import { relayTimeoutMs } from './withRelayTimeout.ts'

/** How late a timer may be. If it is later, the page and the relay's socket were suspended too. */
const lateMs = 2_000

/**
 * Reports until `signal` aborts why the relay cannot be reached, after 15 s or a refusal, and when
 * it is back.
 */
export function watchRelay(
  context: WalletConnectContext,
  parameters: { signal: AbortSignal; onRelay: (problem: LatchkeyError | undefined) => void },
): void {
  const { signal, onRelay } = parameters
  const { relayUrl, environment } = context.parameters
  let away: AbortController | undefined
  const wait = async (until: AbortSignal) => {
    const startedAtMs = environment.now()
    await environment.sleep(relayTimeoutMs, until)
    if (until.aborted) return
    const wasAsleep = environment.now() - startedAtMs > relayTimeoutMs + lateMs
    if (wasAsleep) return wait(until)
    onRelay(new LatchkeyError('RELAY_UNREACHABLE', { data: { host: getHost(relayUrl) } }))
  }
  const look = () => {
    const now = context.dapp.relayStatus()
    if (now.status === 'connected') {
      away?.abort()
      away = undefined
      onRelay(undefined)
    } else if (now.status === 'refused') {
      away?.abort()
      away = new AbortController()
      onRelay(toError(now.error))
    } else if (!away) {
      away = new AbortController()
      void wait(away.signal)
    }
  }
  const stop = context.dapp.on('relay', look)
  signal.addEventListener('abort', () => {
    stop()
    away?.abort()
  })
  look()
}
