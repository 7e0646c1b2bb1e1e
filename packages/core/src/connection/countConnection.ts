import type { AnalyticsMethod } from '@latchkey/wire'
import { countEvent } from '../analytics/countEvent.ts'
import type { App } from '../app.ts'
import { getPlatform } from '../directory/getPlatform.ts'

/** Counts for the operator that a wallet was connected, and how it was reached. */
export const countConnection = (app: App, connectorId: string): void =>
  countEvent(app, {
    event: 'CONNECT_SUCCESS',
    properties: { method: getMethod(app, connectorId) },
  })

function getMethod(app: App, connectorId: string): AnalyticsMethod {
  const { traits = {} } = app.connectors.get(connectorId)?.info ?? {}
  if (traits.hasLogin) return 'login'
  if (traits.pairs) return getPlatform(app.environment).isPhone ? 'mobile' : 'qrcode'
  return traits.isExternal ? 'external' : 'browser'
}
