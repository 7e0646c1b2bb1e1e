import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'

/**
 * The app's custom wallets, as wallets of the directory. Their `image_id` is the URL of the
 * picture.
 */
export const getCustomWallets = ({ config }: App): DirectoryWallet[] =>
  (config.customWallets ?? []).map(({ image_url = '', ...wallet }) => ({
    chains: [],
    ...wallet,
    image_id: image_url,
  }))
