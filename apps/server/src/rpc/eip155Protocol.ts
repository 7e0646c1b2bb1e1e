import { randomBytes } from 'node:crypto'
import { evmReadMethods } from '@latchkey/wire'
import { readEvmSubscription } from './readEvmSubscription.ts'
import type { RpcProtocol } from './rpcProtocol.ts'

// Methods that read, and the broadcast of signed transactions. Methods that sign with the node's
// own keys, debug, trace, administer or rewrite the chain (debug_, admin_, personal_, anvil_, evm_,
// eth_sendTransaction, …) are not allowed. Neither are filters: each leaves state at a single node,
// at the expense of every client, and the other nodes do not have it. Libraries that get an error
// for a missing method poll `eth_getLogs` instead.
const filterMethods: ReadonlySet<string> = new Set([
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
])
const methods: ReadonlySet<string> = new Set([
  ...evmReadMethods.filter((method) => !filterMethods.has(method)),
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_simulateV1',
  'net_listening',
  'net_version',
  'web3_clientVersion',
])

/** Chain RPC of EVM chains. */
export const eip155Protocol: RpcProtocol = {
  methods,
  testnetMethods: new Set(),
  localResult(reference, method) {
    if (method === 'eth_chainId') return `"0x${BigInt(reference).toString(16)}"`
    if (method === 'net_version') return JSON.stringify(reference)
    return method === 'net_listening' ? 'true' : undefined
  },
  subscriptions: {
    offer: 'Only newHeads and logs can be subscribed to',
    subscribe: new Set(['eth_subscribe']),
    unsubscribe: new Set(['eth_unsubscribe']),
    read(method, text) {
      const params = readEvmSubscription(text)
      const names = { unsubscribe: 'eth_unsubscribe', notification: 'eth_subscription' }
      return params === undefined ? undefined : { method, params, ...names, isSingle: false }
    },
    createId: () => `"0x${randomBytes(16).toString('hex')}"`,
  },
}
