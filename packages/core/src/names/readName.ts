import { type ChainId, nameAddress, parseChainId } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { callApi } from '../server/callApi.ts'
import { readCached } from '../server/readCached.ts'
import { serverImageUrl } from '../server/serverImageUrl.ts'
import type { NamedAddress } from './resolveName.ts'

/** What `resolveName` does. */
export async function readName(
  app: App,
  parameters: {
    name: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<NamedAddress> {
  const { chainId, forceUpdate, signal } = parameters
  const asked = parameters.name.trim().toLowerCase()
  const { name, address, avatar } = await readCached(app, {
    key: `name ${chainId}:${asked}`,
    schema: nameAddress.result,
    work: () =>
      callApi(app, {
        route: nameAddress,
        params: { name: asked },
        query: { chainId, forceUpdate: forceUpdate ? 'true' : undefined },
      }),
    forceUpdate,
    signal,
  })
  const chain = await app.chain(parseChainId(chainId).namespace)
  if (!address || !chain.isAddress(address)) return { name }
  const imageUrl = serverImageUrl(app, avatar)
  return { name, address, ...(imageUrl && { imageUrl }) }
}
