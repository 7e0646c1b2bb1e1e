import { readSolanaSubscription, solanaSubscriptions } from './readSolanaSubscription.ts'
import type { RpcProtocol } from './rpcProtocol.ts'

// Methods that read, simulate, or broadcast signed transactions. Methods about a validator and its
// peers (getIdentity, getClusterNodes, getHighestSnapshotSlot, …) are not allowed.
const methods: ReadonlySet<string> = new Set([
  'getAccountInfo',
  'getBalance',
  'getBlock',
  'getBlockHeight',
  'getBlockTime',
  'getBlocks',
  'getBlocksWithLimit',
  'getEpochInfo',
  'getEpochSchedule',
  'getFeeForMessage',
  'getFirstAvailableBlock',
  'getGenesisHash',
  'getHealth',
  'getInflationGovernor',
  'getInflationRate',
  'getInflationReward',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getMultipleAccounts',
  'getProgramAccounts',
  'getRecentPerformanceSamples',
  'getRecentPrioritizationFees',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getSlot',
  'getStakeMinimumDelegation',
  'getSupply',
  'getTokenAccountBalance',
  'getTokenAccountsByDelegate',
  'getTokenAccountsByOwner',
  'getTokenLargestAccounts',
  'getTokenSupply',
  'getTransaction',
  'getTransactionCount',
  'getVersion',
  'getVoteAccounts',
  'isBlockhashValid',
  'minimumLedgerSlot',
  'sendTransaction',
  'simulateTransaction',
])

/** Chain RPC of Solana chains. */
export const solanaProtocol: RpcProtocol = {
  methods,
  testnetMethods: new Set(['requestAirdrop']),
  localResult: () => undefined,
  subscriptions: {
    offer:
      'Only signatures, accounts, logs that mention one account, and slots can be subscribed to',
    subscribe: new Set(solanaSubscriptions.map((name) => `${name}Subscribe`)),
    unsubscribe: new Set(solanaSubscriptions.map((name) => `${name}Unsubscribe`)),
    read: readSolanaSubscription,
    createId: String,
  },
}
