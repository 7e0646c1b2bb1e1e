import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'

/**
 * The app's custom wallets that have an id and a name, as wallets of the directory. Their
 * `image_id` is the URL of the picture.
 */
export const getCustomWallets = ({ config }: App): DirectoryWallet[] =>
  (config.wallets.custom ?? [])
    .filter(({ id, name }) => id && name)
    .map(({ image_url = '', ...wallet }) => ({ chains: [], ...wallet, image_id: image_url }))
