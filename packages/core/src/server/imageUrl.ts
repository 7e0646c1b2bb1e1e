import type { App } from '../createApp.ts'
import type { Network } from '../networks.ts'
import { getApiUrl } from './callApi.ts'

const image = (app: App, folder: string, id: string) =>
  getApiUrl(app, `${folder}/${encodeURIComponent(id)}`)

/** URL of a directory wallet's image, by its `image_id`. */
export const walletImageUrl = (app: App, imageId: string): string =>
  image(app, '/getWalletImage', imageId)

/** URL of a network's image. */
export const networkImageUrl = (app: App, network: Network): string =>
  image(app, '/public/getAssetImage', network.assets.imageId)

/** URL of a token's image, by its symbol. */
export const tokenImageUrl = (app: App, symbol: string): string =>
  image(app, '/public/getTokenImage', symbol)
