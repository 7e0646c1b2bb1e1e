import type { AreaState, ChainId } from '@latchkey/wire'

/** Whether balances are read on a network, and where from. */
export const balanceArea = (chainId: ChainId): AreaState =>
  chainId.startsWith('eip155:')
    ? { on: true, source: "The network's own nodes" }
    : { on: false, source: 'Balances are read on eip155 networks only' }
