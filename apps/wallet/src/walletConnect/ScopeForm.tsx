import { useState } from 'react'
import { Checks, chainsOf, type Reach } from './ScopeFields.tsx'
import { findChainId } from './capabilities.ts'
import type { Run, SessionProps } from './SessionRow.tsx'
import { reachOf, withReach } from './sessionScope.ts'
import { texts } from './texts.ts'

/** Adds networks and accounts to a session or takes them away. */
export function ReachForm({ walletConnect, config, session, run }: SessionProps & { run: Run }) {
  const now = reachOf(session, config)
  const [draft, setDraft] = useState<Reach>()
  const reach = draft ?? now
  const required = new Set(
    Object.entries(session.requiredNamespaces).flatMap(([key, { chains }]) =>
      (key.includes(':') ? [key] : (chains ?? [])).flatMap((one) => findChainId(config, one) ?? []),
    ),
  )
  const update = async () => {
    await walletConnect.wallet.update(session.topic, withReach(session, reach))
    setDraft(undefined)
    return texts.updated
  }
  const enough = reach.chainIds.length > 0 && reach.indexes.length > 0
  return (
    <details className="part">
      <summary data-testid="session-reach">{texts.reach}</summary>
      <Checks chains={chainsOf(config, required)} reach={reach} onChange={setDraft} />
      <button
        type="button"
        data-testid="session-update"
        disabled={!enough || draft === undefined}
        onClick={() => void run(update)}
      >
        {texts.update}
      </button>
    </details>
  )
}
