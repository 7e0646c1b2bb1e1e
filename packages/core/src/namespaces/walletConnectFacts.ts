import type { Namespace } from '@latchkey/wire'
import { bip122 } from './bip122/walletConnectFacts.ts'
import { eip155 } from './eip155/walletConnectFacts.ts'
import type { WalletConnectFacts } from './facts.ts'
import { polkadot } from './polkadot/walletConnectFacts.ts'
import { solana } from './solana/walletConnectFacts.ts'

/** By namespace; separate from the facts, because only a session needs them. */
export const walletConnectFacts: Readonly<Record<Namespace, WalletConnectFacts>> = {
  eip155,
  solana,
  polkadot,
  bip122,
}
