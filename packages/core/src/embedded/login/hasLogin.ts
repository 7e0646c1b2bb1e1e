import type { App, Environment } from '../../app.ts'

/** Whether a connector has a login, so that its connections have a user. */
export const hasLogin = (app: App, connectorId: string): boolean =>
  app.connectors.get(connectorId)?.info.traits?.hasLogin === true

/** Whether the page has just returned from a login for which it navigated away. */
export const isReturning = ({ page }: Pick<Environment, 'page'>): boolean =>
  page?.location.href.includes('#latchkey-login=') === true
