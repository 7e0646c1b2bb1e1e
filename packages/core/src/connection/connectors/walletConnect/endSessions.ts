import type { Live } from './context.ts'
import { hostOf, withdrawOffers } from './offers.ts'
import { forgetSession } from './sessionEvents.ts'
import { orUnreachable } from './withRelayTimeout.ts'

/** Ends every session and withdraws what is on offer. Here it is over in any case; throws when a wallet was not told. */
export async function endSessions(live: Live): Promise<void> {
  const { dapp, parameters } = live
  withdrawOffers(live)
  forgetSession(live)
  const sessions = dapp.sessions()
  if (sessions.length === 0) return
  await orUnreachable({
    host: hostOf(parameters.relayUrl),
    sleep: parameters.environment.sleep,
    isLost: () => true,
    work: () => Promise.all(sessions.map(({ topic }) => dapp.disconnect(topic))),
  })
}
