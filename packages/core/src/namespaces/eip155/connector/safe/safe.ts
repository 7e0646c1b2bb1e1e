import type { CreateConnector } from '../../../../app.ts'
import type { Connector } from '../../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../../connection/connectors/lazyConnector.ts'
import { getPlatform } from '../../../../directory/getPlatform.ts'

/**
 * The Safe whose web app shows this page in an iframe. It connects by itself. `allowedOrigins`: the
 * trusted web apps, for example `https://app.safe.global`. Each of them could report any address
 * and any result. On other pages, the connector does not exist.
 */
export const safe =
  ({ allowedOrigins }: { allowedOrigins: readonly string[] }): CreateConnector =>
  (app) => {
    if (!getPlatform(app.environment).isFramed || typeof window === 'undefined') return undefined
    // Firefox does not reveal it.
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
