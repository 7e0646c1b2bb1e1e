import { useState } from 'react'
import { getNamespaces } from '../networks.ts'
import { texts } from '../texts.ts'
import { ScopeFields } from './ScopeFields.tsx'
import type { Run, SessionProps } from './sessionProps.ts'
import { getScope, type Scope, withScope } from './sessionScope.ts'

/**
 * Adds or removes networks and accounts of a session. The session keeps the namespaces that the app
 * requested.
 */
export function ScopeForm({ walletConnect, config, session, run }: SessionProps & { run: Run }) {
  const now = getScope(session, config)
  const [draft, setDraft] = useState<Scope>()
  const scope = draft ?? now
  const required = Object.entries(session.requiredNamespaces).flatMap(([key, { chains }]) =>
    key.includes(':') ? [key] : (chains ?? []),
  )
  const chains = getNamespaces(config)
    .filter(({ namespace }) => Object.hasOwn(session.namespaces, namespace))
    .flatMap(({ networks }) => networks)
    .map(({ id, name }) => ({ id, name, required: required.includes(id) }))
  const update = async () => {
    await walletConnect.wallet.update(session.topic, withScope(session, scope, config))
    setDraft(undefined)
    return texts.updated
  }
  const enough = scope.chains.length > 0 && scope.indexes.length > 0
  return (
    <details className="part">
      <summary data-testid="session-reach">{texts.scope}</summary>
      <ScopeFields chains={chains} scope={scope} onChange={setDraft} />
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
