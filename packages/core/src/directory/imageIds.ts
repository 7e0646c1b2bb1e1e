import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { ConnectorInfo } from '../state.ts'

/**
 * Stores the pictures of the directory's wallets by their rdns, and adds them to the listed
 * connectors.
 */
export function noteImageIds(app: App, wallets: readonly DirectoryWallet[]): void {
  const { store, runtime } = app
  for (const { rdns, image_id } of wallets)
    if (rdns) runtime.imageIds.set(rdns.toLowerCase(), image_id)
  const { connectors } = store.getState()
  const named = connectors.map((info) => withImageId(app, info))
  if (named.some((info, at) => info !== connectors[at])) store.setState({ connectors: named })
}

/** The connector with the id of its picture, if the directory has returned that id. */
export function withImageId({ runtime }: App, info: ConnectorInfo): ConnectorInfo {
  const imageId = info.imageId ?? runtime.imageIds.get(info.rdns ?? '')
  return imageId === info.imageId || imageId === undefined ? info : { ...info, imageId }
}
