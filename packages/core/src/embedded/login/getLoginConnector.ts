import type { App } from '../../app.ts'
import type { Connector } from '../../connection/connectors/connector.ts'

/** The connector that users log in to; undefined if the app has no login. */
export const getLoginConnector = (app: App): Connector | undefined =>
  [...app.connectors.values()].find(({ info }) => info.traits?.hasLogin)
