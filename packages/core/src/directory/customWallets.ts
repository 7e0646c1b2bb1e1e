import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'

/**
 * The wallets that the app configured, as wallets of the directory. The `image_id` of one is the
 * address of its picture.
 */
export const getCustomWallets = ({ config }: App): DirectoryWallet[] =>
  (config.customWallets ?? []).map(({ image_url = '', ...wallet }) => ({
    chains: [],
    ...wallet,
    image_id: image_url,
  }))
