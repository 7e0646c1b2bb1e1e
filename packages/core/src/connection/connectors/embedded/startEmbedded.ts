import type { App } from '../../../app.ts'
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
    refuse: async () => (await actions()).refuse(app),
  })
}
