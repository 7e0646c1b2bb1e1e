import { evmReadMethods } from './evmMethods.ts'

/**
 * Methods beside the reads of a node that the frame answers by itself, as existing clients expect.
 * They continue when open requests are aborted. `wallet_disconnect` takes rights from the page that
 * asks, so the user need not approve it.
 */
const ownReads: readonly string[] = [
  'eth_accounts',
  'eth_getAccount',
  'net_version',
  'web3_clientVersion',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getPendingTransactions',
  'eth_getUserOperationReceipt',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'wallet_getAssets',
  'wallet_disconnect',
]

/**
 * Methods that a person decides on. Methods in neither list are not allowed, `eth_sign` for
 * example.
 */
const unsafe: readonly string[] = [
  'personal_sign',
  'eth_signTypedData_v3',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'wallet_sendCalls',
  'wallet_replaceTransaction',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'eth_sendUserOperation',
  'wallet_watchAsset',
  'wallet_connect',
]

/**
 * How the frame treats a method that the host page calls: answers it, asks the user, or refuses it.
 */
export function getMethodTreatment(method: string): 'safe' | 'unsafe' | 'refused' {
  const reads: readonly string[] = evmReadMethods
  if (reads.includes(method) || ownReads.includes(method)) return 'safe'
  return unsafe.includes(method) ? 'unsafe' : 'refused'
}
