import type { AreaState, ChainId } from '@latchkey/wire'
import { isBitcoinChain } from '../bitcoin/chain.ts'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { isSolanaChain } from '../solana/chain.ts'

/** Whether the server has the activity of accounts on a network, and from which source. */
export function activityArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  const chain = chains[chainId]
  const nodes = nodeSources.find(({ isChain }) => isChain(chainId))
  if (chain === undefined || !(isEvmChain(chainId) || nodes))
    return { on: false, source: 'Activity is available on eip155, solana and bip122 networks only' }
  const { source = 'rpc', url } = chain.activity ?? {}
  if (source !== 'off' && nodes) return nodesArea(nodes, source)
  if (source === 'off') return { on: false, source: 'activity.source is off in the chains file' }
  if (source === 'rpc')
    return { on: true, source: "An index of the network's blocks, read from its nodes" }
  if (source === 'etherscan') return { on: true, source: 'An Etherscan API' }
  return url === undefined
    ? { on: false, source: 'activity.source is blockscout, but activity.url is not set' }
    : { on: true, source: 'A Blockscout API' }
}

/** Networks whose nodes list the transactions of an account. */
const nodeSources = [
  {
    namespace: 'solana',
    isChain: isSolanaChain,
    source: "Signatures and transactions from the network's nodes",
  },
  {
    namespace: 'bip122',
    isChain: isBitcoinChain,
    source: "Transactions from the network's Esplora",
  },
] as const

const nodesArea = (
  { namespace, source: list }: (typeof nodeSources)[number],
  source: string,
): AreaState =>
  source === 'rpc'
    ? { on: true, source: list }
    : {
        on: false,
        source: `activity.source is ${source}, which does not support ${namespace} networks`,
      }
