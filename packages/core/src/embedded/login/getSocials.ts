import { getSocialsRoute, readSocials, type SocialProvider } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { callRoute } from '../../server/callRoute.ts'

/**
 * The social login providers that both the server and the app list, in the app's order, or else the
 * server's. Throws the errors of {@link callRoute}.
 */
export const getSocials = (
  app: App,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<readonly SocialProvider[]> =>
  attempt(async () => {
    const { socials } = await callRoute(app, { route: getSocialsRoute, signal })
    const offered = readSocials(socials)
    const { socials: wanted = offered } = app.config.login
    return wanted.filter((provider) => offered.includes(provider))
  })
