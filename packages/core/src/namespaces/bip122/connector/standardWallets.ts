import type { ChainId } from '@latchkey/wire'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import { getFeature, parseTexts, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import type { FoundWallet } from './browserWallet.ts'
import { findBitcoinStandardChain } from './chainNames.ts'

/**
 * Parses a wallet that registers itself by the Wallet Standard. It must be able to connect and to
 * sign on Bitcoin, and support at least one network of the app. Cleans the name and the icon.
 * Returns undefined for anything else.
 */
export function parseBitcoinStandardWallet(
  value: unknown,
  chainIds: readonly ChainId[],
): FoundWallet | undefined {
  try {
    const wallet = value as StandardWallet
    const name = cleanName(wallet.name)
    const chains = parseTexts(wallet.chains)
    const isUsable =
      name !== '' &&
      getConnect(wallet) !== undefined &&
      (getFeature(wallet, 'bitcoin:signMessage', 'signMessage') ??
        getFeature(wallet, 'bitcoin:signTransaction', 'signTransaction')) !== undefined &&
      chainIds.some((chainId) => findBitcoinStandardChain(chains, chainId))
    if (!isUsable) return undefined
    const iconUrl = cleanIcon(wallet.icon)
    return {
      info: {
        id: `bip122:${name}`,
        kind: 'announced',
        name,
        ...(iconUrl && { iconUrl }),
        namespaces: ['bip122'],
      },
      ask: () => getConnect(wallet)?.({ purposes: ['payment', 'ordinals'] }),
      load: async () => (await import('./openStandardWallet.ts')).openStandardWallet(wallet),
    }
  } catch {
    return undefined
  }
}

const getConnect = (wallet: StandardWallet) =>
  getFeature(wallet, 'bitcoin:connect', 'connect') ??
  getFeature(wallet, 'standard:connect', 'connect')
