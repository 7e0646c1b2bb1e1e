import { evmReadMethods, type Namespace } from '@latchkey/wire'

// Methods that read, and the broadcast of signed transactions. Methods that sign with the node's own keys, debug, trace,
// administer or rewrite the chain (debug_, admin_, personal_, anvil_, evm_, eth_sendTransaction, …) are not allowed.
const eip155Methods: ReadonlySet<string> = new Set([
  ...evmReadMethods,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_simulateV1',
  'net_listening',
  'net_version',
  'web3_clientVersion',
])

const allowed: Partial<Record<Namespace, ReadonlySet<string>>> = { eip155: eip155Methods }

/** Whether clients may call `method` on a chain of `namespace` through this server. */
export const isAllowedMethod = (namespace: Namespace, method: string): boolean =>
  allowed[namespace]?.has(method) ?? false

/** The raw JSON result if the method needs no node, otherwise undefined. `reference` is the chain's CAIP-2 reference. */
export function localResult(namespace: Namespace, reference: string, method: string) {
  if (namespace !== 'eip155') return undefined
  if (method === 'eth_chainId') return `"0x${BigInt(reference).toString(16)}"`
  if (method === 'net_version') return JSON.stringify(reference)
  return method === 'net_listening' ? 'true' : undefined
}
