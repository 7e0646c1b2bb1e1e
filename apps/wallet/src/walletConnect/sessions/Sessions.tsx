import type { Config } from '../../config.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { texts } from '../texts.ts'
import { SessionRow } from './SessionRow.tsx'

/** All sessions, the newest first. */
export function Sessions({
  walletConnect,
  config,
}: {
  walletConnect: WalletConnect
  config: Config
}) {
  const sessions = [...walletConnect.wallet.sessions()].reverse()
  return (
    <section data-testid="sessions">
      <h2>{texts.sessions}</h2>
      {sessions.length === 0 && <p>{texts.noSessions}</p>}
      {sessions.map((session) => (
        <SessionRow
          key={session.topic}
          walletConnect={walletConnect}
          config={config}
          session={session}
        />
      ))}
    </section>
  )
}
