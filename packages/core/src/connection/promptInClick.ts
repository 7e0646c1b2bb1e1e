import type { App } from '../app.ts'
import { pushWalletRequest } from '../modal/pushWalletRequest.ts'
import type { View } from '../modal/views.ts'

/**
 * Sends the request to a wallet of this browser in the same click that chose it, before anything is
 * loaded. Shows the view that waits for the wallet: `ConnectingExternal` by default.
 */
export function promptInClick(
  app: App,
  parameters: {
    connectorId: string
    view?: Extract<View, { name: 'ConnectingExternal' | 'ConnectingWalletConnect' }>
  },
): void {
  const { connectorId, view = { name: 'ConnectingExternal', connectorId } } = parameters
  const isAgain = app.storage.get('disconnected')?.includes(connectorId)
  const response = app.connectors.get(connectorId)?.ask?.(isAgain)
  pushWalletRequest(app, view, async (signal) => {
    const { connect } = await import('./connect.ts')
    return connect(app, { connectorId, response, signal })
  })
}
