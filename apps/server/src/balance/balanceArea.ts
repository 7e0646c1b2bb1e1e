import type { AreaState, ChainId } from '@latchkey/wire'
import { isEvmChain } from '../evm/chain.ts'

/** Whether balances are read on a network, and where from. */
export const balanceArea = (chainId: ChainId): AreaState =>
  isEvmChain(chainId)
    ? { on: true, source: "The network's own nodes" }
    : { on: false, source: 'Balances are read on eip155 networks only' }
