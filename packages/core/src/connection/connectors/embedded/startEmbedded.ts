import type { App } from '../../../app.ts'
import type { Connected } from '../../../state.ts'
import { setConnection } from '../../setConnection.ts'
import type { Connector } from '../connector.ts'
import { openEmbedded } from './openEmbedded.ts'
import type { EmbeddedParameters } from './parameters.ts'

/** Opens the embedded wallet's connector with the app's configuration. */
export function startEmbedded(
  app: App,
  { info, emit }: Pick<EmbeddedParameters, 'info' | 'emit'>,
): Promise<Connector> {
  const { storage, store, environment } = app
  const actions = () => import('../../../embedded/approve.ts')
  return openEmbedded({
    info,
    emit,
    storage,
    networks: () => store.getState().networks,
    activeChainId: () => store.getState().activeChainId,
    now: environment.now,
    frame: async () => (await import('../../../embedded/frame/getFrame.ts')).getFrame(app),
    approve: async (ask) => (await actions()).approveTransaction(app, ask),
    smartAccount: () => getConnection(app, info.id)?.account,
    noteDeployed(chainId, isDeployed) {
      const connection = getConnection(app, info.id)
      if (!connection) return
      const deployed = { ...connection.account.deployed, [chainId]: isDeployed }
      const [first, ...rest] = connection.accounts
      setConnection(app, {
        ...{ connectorId: info.id, isSelected: false },
        result: { accounts: [{ ...first, deployed }, ...rest], chainId: connection.chainId },
      })
    },
    refuse: async () => (await actions()).refuseTransaction(app),
  })
}

/** The connection of the smart account. */
function getConnection({ store }: App, connectorId: string) {
  const connections = Object.values(store.getState().connections)
  return connections.find(
    (one): one is Connected =>
      one.status === 'connected' &&
      one.connectorId === connectorId &&
      one.account.type === 'smartAccount',
  )
}
