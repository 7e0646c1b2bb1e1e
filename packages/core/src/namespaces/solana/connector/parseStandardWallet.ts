import type { ChainId } from '@latchkey/wire'
import { cleanIcon, cleanName } from '../../../connection/connectors/cleanWalletInfo.ts'
import type { ConnectorInfo } from '../../../state.ts'
import { getFeature, parseTexts, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { findStandardChain } from './standardChains.ts'

/** What a wallet must be able to sign, one of these at least: a feature and its function. */
const signFeatures = [
  ['solana:signMessage', 'signMessage'],
  ['solana:signTransaction', 'signTransaction'],
  ['solana:signAndSendTransaction', 'signAndSendTransaction'],
] as const

/**
 * Checks what registers itself: it must connect, sign something of Solana and know one of the
 * networks. Name and icon are cleaned. Undefined for anything else.
 */
export function parseStandardWallet(
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
      chainIds.some((chainId) => findStandardChain(chains, chainId))
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
