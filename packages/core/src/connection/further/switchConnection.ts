import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { selectNamespace } from '../../network/selectNamespace.ts'
import { activeNetwork, type Connected, listConnections } from '../../state.ts'
import { confirm } from './confirmFurther.ts'
import { findConnection, getWalletNamespace, isInUse } from './furtherConnections.ts'
import { putInUse } from './putInUse.ts'

/**
 * Puts a connected wallet in use in a namespace, and selects its network. The wallet that was in
 * use stays connected. By default in the selected network's namespace, or the first in which the
 * wallet is connected. Never prompts. Throws NOT_CONNECTED if the wallet is not connected or no
 * longer allows its account, ABORTED if the user has chosen another wallet meanwhile.
 */
export const switchConnection = (
  app: App,
  parameters: { connectorId: string; namespace?: Namespace },
): Promise<Connected> =>
  attempt(async () => {
    const place = getWalletNamespace(find(app, parameters))
    app.runtime.walletChoices += 1
    const choice = app.runtime.walletChoices
    // After a reload, its wallet may not have confirmed it yet.
    if (find(app, place).status === 'reconnecting' && !isInUse(app.store.getState(), place))
      await confirm(app, place)
    if (choice < app.runtime.walletChoices) throw new LatchkeyError('ABORTED')
    const connection = find(app, place)
    if (isInUse(app.store.getState(), place)) selectNamespace(app, place)
    else if (connection.status === 'connected') putInUse(app, { connection, isSelected: true })
    else throw new LatchkeyError('NOT_CONNECTED')
    return find(app, place)
  })

function find(
  { store }: App,
  { connectorId, namespace }: { connectorId: string; namespace?: Namespace },
): Connected {
  const state = store.getState()
  const own = listConnections(state).filter((one) => one.connectorId === connectorId)
  const active = activeNetwork(state).chainNamespace
  const wanted = own.some(({ account }) => account.namespace === active) ? active : undefined
  const found = findConnection(state, {
    connectorId,
    namespace: namespace ?? wanted ?? own[0]?.account.namespace ?? active,
  })
  if (!found) throw new LatchkeyError('NOT_CONNECTED')
  return found
}
