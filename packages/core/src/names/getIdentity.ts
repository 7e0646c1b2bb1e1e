import { type ChainId, identityRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { callRoute } from '../server/callRoute.ts'
import { getAreas } from '../server/getAreas.ts'
import { serverImageUrl } from '../server/imageUrl.ts'
import { readCached } from '../server/readCached.ts'
import type { Profile } from '../state.ts'

/**
 * The name and picture of an account on a network, kept in the state's `profiles`; at most 5
 * minutes old. Empty if the account has no name or the network has no names.
 */
export async function getIdentity(
  app: App,
  parameters: { address: string; chainId: ChainId; signal?: AbortSignal | undefined },
): Promise<Profile> {
  const { address, chainId, signal } = parameters
  const areas = (await getAreas(app))(chainId)
  const id = `${chainId}:${address}`
  if (!getCapabilities(app, { chainId, areas }).names) return show(app, id, {})
  const { name, avatar } = await readCached(app, {
    key: `identity ${id}`,
    schema: identityRoute.result,
    work: () =>
      callRoute(app, { route: identityRoute, params: { address }, query: { sender: address } }),
    signal,
  })
  const imageUrl = serverImageUrl(app, avatar)
  const profile = { ...(name && isPlain(name) && { name }), ...(imageUrl && { imageUrl }) }
  return show(app, id, profile)
}

/**
 * Whether a name has no spaces and no invisible characters, which could make it look like another
 * name.
 */
const isPlain = (name: string) => /^[^\s\p{C}]{1,255}$/u.test(name)

function show(app: App, id: string, profile: Profile): Profile {
  const { profiles } = app.store.getState()
  const current = profiles[id]
  if (current?.name === profile.name && current?.imageUrl === profile.imageUrl)
    return current ?? profile
  app.store.setState({ profiles: { ...profiles, [id]: profile } })
  return profile
}
