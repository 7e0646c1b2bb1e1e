import type { ChainId } from '@latchkey/wire'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import type { ConnectorInfo } from '../../../state.ts'
import { getFeature, parseTexts, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { findSolanaStandardChain } from './standardChains.ts'

/** The features and functions of which a wallet must support at least one. */
const signFeatures = [
  ['solana:signMessage', 'signMessage'],
  ['solana:signTransaction', 'signTransaction'],
  ['solana:signAndSendTransaction', 'signAndSendTransaction'],
] as const

/**
 * Parses a wallet that registers itself. It must be able to connect and to sign on Solana, and
 * support at least one network of the app. Cleans the name and the icon. Returns undefined for
 * anything else.
 */
export function parseSolanaStandardWallet(
  value: unknown,
  chainIds: readonly ChainId[],
): { info: ConnectorInfo; wallet: StandardWallet } | undefined {
  try {
    const wallet = value as StandardWallet
    const name = cleanName(wallet.name)
    const chains = parseTexts(wallet.chains)
    const isUsable =
      name !== '' &&
      getFeature(wallet, 'standard:connect', 'connect') !== undefined &&
      signFeatures.some(([feature, method]) => getFeature(wallet, feature, method)) &&
      chainIds.some((chainId) => findSolanaStandardChain(chains, chainId))
    if (!isUsable) return undefined
    const iconUrl = cleanIcon(wallet.icon)
    return {
      wallet,
      info: {
        id: `solana:${name}`,
        kind: 'announced',
        name,
        ...(iconUrl && { iconUrl }),
        namespaces: ['solana'],
      },
    }
  } catch {
    return undefined
  }
}
