import type { App } from './app.ts'
import { isReturning } from './embedded/login/getLoginConnector.ts'
import type { State } from './state.ts'

/**
 * Does what an app's config or the page's address asks for at the start: messages for developers, sign-in with a wallet, and going on
 * with a login that left the page. `before`: the connections with which the page began.
 */
export async function startAppWork(app: App, before: State['connections']): Promise<void> {
  const { config, environment } = app
  if (config.projectId === '') (await import('./modal/present.ts')).reportMissingProject(app)
  const followSiwx = async () => (await import('./siwx/followSiwx.ts')).followSiwx(app, before)
  const returnSocial = async () =>
    (await import('./embedded/login/returnSocial.ts')).returnSocial(app)
  await Promise.all([
    (config.siwx || config.siweConfig) && followSiwx(),
    isReturning(environment) && returnSocial(),
  ])
}
