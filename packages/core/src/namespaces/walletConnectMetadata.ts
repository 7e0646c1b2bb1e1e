import type { Namespace } from '@latchkey/wire'
import { bitcoinWalletConnect } from './bip122/walletConnectMetadata.ts'
import { evmWalletConnect } from './eip155/walletConnectMetadata.ts'
import type { WalletConnectMetadata } from './metadata.ts'
import { polkadotWalletConnect } from './polkadot/walletConnectMetadata.ts'
import { solanaWalletConnect } from './solana/walletConnectMetadata.ts'

/**
 * Each namespace's facts for WalletConnect sessions. Separate from `namespaceMetadata`, because
 * only a session needs them.
 */
export const walletConnectMetadata: Readonly<Record<Namespace, WalletConnectMetadata>> = {
  eip155: evmWalletConnect,
  solana: solanaWalletConnect,
  polkadot: polkadotWalletConnect,
  bip122: bitcoinWalletConnect,
}
