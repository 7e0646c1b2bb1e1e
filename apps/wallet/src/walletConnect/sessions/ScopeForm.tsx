import { useState } from 'react'
import { findChainId } from '../capabilities.ts'
import { texts } from '../texts.ts'
import { type Scope, ScopeFields, toScopeChains } from './ScopeFields.tsx'
import type { Run, SessionProps } from './sessionProps.ts'
import { getScope, withScope } from './sessionScope.ts'

/** Adds networks and accounts to a session or takes them away. */
export function ScopeForm({ walletConnect, config, session, run }: SessionProps & { run: Run }) {
  const now = getScope(session, config)
  const [draft, setDraft] = useState<Scope>()
  const scope = draft ?? now
  const required = new Set(
    Object.entries(session.requiredNamespaces).flatMap(([key, { chains }]) =>
      (key.includes(':') ? [key] : (chains ?? [])).flatMap((one) => findChainId(config, one) ?? []),
    ),
  )
  const update = async () => {
    await walletConnect.wallet.update(session.topic, withScope(session, scope))
    setDraft(undefined)
    return texts.updated
  }
  const enough = scope.chainIds.length > 0 && scope.indexes.length > 0
  return (
    <details className="part">
      <summary data-testid="session-reach">{texts.scope}</summary>
      <ScopeFields chains={toScopeChains(config, required)} scope={scope} onChange={setDraft} />
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
