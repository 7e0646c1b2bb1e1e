import type { App } from '../../../app.ts'
import { setConnection } from '../../setConnection.ts'
import type { Connector } from '../connector.ts'
import { openEmbedded } from './openEmbedded.ts'
import type { EmbeddedParameters } from './parameters.ts'

/** Opens the connector of the embedded wallet with what an app has configured. */
export function startEmbedded(
  app: App,
  { info, tell }: Pick<EmbeddedParameters, 'info' | 'tell'>,
): Promise<Connector> {
  const { storage, store, environment } = app
  const actions = () => import('../../../embedded/approve.ts')
  return openEmbedded({
    info,
    tell,
    storage,
    networks: () => store.getState().networks,
    activeChainId: () => store.getState().activeChainId,
    now: environment.now,
    frame: async () => (await import('../../../embedded/frame/getFrame.ts')).getFrame(app),
    approve: async (ask) => (await actions()).approve(app, ask),
    smartAccount: () => {
      const connection = getConnection(app, info.id)
      return connection?.account.type === 'smartAccount' ? connection.account : undefined
    },
    noteDeployed(chainId, isDeployed) {
      const connection = getConnection(app, info.id)
      if (connection?.account.type !== 'smartAccount') return
      const deployed = { ...connection.account.deployed, [chainId]: isDeployed }
      const [first, ...rest] = connection.accounts
      setConnection(app, {
        ...{ connectorId: info.id, isSelected: false },
        result: { accounts: [{ ...first, deployed }, ...rest], chainId: connection.chainId },
      })
    },
    refuse: async () => (await actions()).refuse(app),
  })
}

function getConnection({ store }: App, connectorId: string) {
  const { eip155 } = store.getState().connections
  return eip155.status === 'connected' && eip155.connectorId === connectorId ? eip155 : undefined
}
