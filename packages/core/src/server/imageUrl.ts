import { canParseUrl } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Network } from '../networks.ts'
import { getApiUrl, type ServerConfig } from './getApiUrl.ts'

const image = (app: ServerConfig, folder: string, id: string) =>
  getApiUrl(app, `${folder}/${encodeURIComponent(id)}`)

/**
 * URL of a directory wallet's image, by its `image_id`. For a wallet that the app configured,
 * `image_id` is the URL.
 */
export const walletImageUrl = (
  app: ServerConfig & { readonly config: Pick<App['config'], 'wallets'> },
  imageId: string,
): string =>
  app.config.wallets.custom?.some(({ image_url = '' }) => image_url === imageId)
    ? imageId
    : image(app, '/getWalletImage', imageId)

/** URL of a network's image. */
export const networkImageUrl = (app: App, network: Network): string =>
  image(app, '/public/getAssetImage', network.assets.imageId)

/**
 * URL of a token's image, by its symbol, or by its CAIP-10 id to get images only of listed tokens.
 */
export const tokenImageUrl = (app: App, token: string): string =>
  image(app, '/public/getTokenImage', token)

/**
 * An image's URL if it is on our server. A picture from another host would reveal the user to that
 * host.
 */
export function serverImageUrl(app: App, url: string | null): string | undefined {
  if (!url || !canParseUrl(url, app.config.apiUrl)) return undefined
  const image = new URL(url, app.config.apiUrl)
  return image.origin === new URL(app.config.apiUrl).origin ? image.href : undefined
}
