import type { WalletConnectContext } from '../context.ts'
import { getHost, withdrawPairings } from '../pairings.ts'
import { withRelayTimeout } from '../withRelayTimeout.ts'
import { forgetSession } from './sessionEvents.ts'

/**
 * Ends every session and withdraws all pairings, in any case here. Throws if a wallet could not be
 * notified.
 */
export async function endWalletSessions(context: WalletConnectContext): Promise<void> {
  const { dapp, parameters } = context
  withdrawPairings(context)
  forgetSession(context)
  const sessions = dapp.sessions()
  if (sessions.length === 0) return
  await withRelayTimeout({
    host: getHost(parameters.relayUrl),
    sleep: parameters.environment.sleep,
    isLost: () => true,
    work: () => Promise.all(sessions.map(({ topic }) => dapp.disconnect(topic))),
  })
}
