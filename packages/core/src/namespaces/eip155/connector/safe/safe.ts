import type { CreateConnector } from '../../../../app.ts'
import type { Connector } from '../../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../../connection/connectors/lazyConnector.ts'
import { getPlatform } from '../../../../directory/getPlatform.ts'

/**
 * A Safe whose web app shows this page in a frame, and connects by itself there. `allowedOrigins`
 * are the web apps that are believed, as `https://app.safe.global`: each could show any address and
 * any answer. Elsewhere there is no such connector.
 */
export const safe =
  ({ allowedOrigins }: { allowedOrigins: readonly string[] }): CreateConnector =>
  (app) => {
    if (!getPlatform(app.environment).isFramed || typeof window === 'undefined') return undefined
    // Firefox does not tell it.
    const parentOrigin = location.ancestorOrigins?.[0]
    if (parentOrigin && !allowedOrigins.includes(parentOrigin)) return undefined
    const info = {
      ...({ id: 'safe', kind: 'external', name: 'Safe' } as const),
      namespaces: ['eip155'] as const,
      traits: {
        ...{ isExternal: true, reconnectsSavedOnly: true },
        ...{ connectsAlone: true, collectsConfirmations: true },
      },
    }
    let opened: Connector | undefined
    const connector = lazyConnector({
      info,
      open: async () => {
        const { openSafe } = await import('./openSafe.ts')
        const windows = { here: window, parent: window.parent, parentOrigin }
        opened = openSafe({ app, info, windows, allowedOrigins })
        return opened
      },
    })
    return { ...connector, readProposal: async () => opened?.readProposal?.() }
  }
