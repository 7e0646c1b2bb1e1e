import { evmReadMethods } from './evmMethods.ts'

/**
 * Methods, in addition to a node's reads, to which the frame responds without the user, as existing
 * clients expect. They continue when pending requests are aborted. `wallet_disconnect` removes
 * rights of the calling page, so the user need not approve it.
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
 * Methods that need the user's approval. Methods in neither list are not allowed, for example
 * `eth_sign`.
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
 * How the frame treats a method that the host page calls: responds at once (`safe`), asks the user
 * (`unsafe`), or refuses it.
 */
export function getMethodTreatment(method: string): 'safe' | 'unsafe' | 'refused' {
  const reads: readonly string[] = evmReadMethods
  if (reads.includes(method) || ownReads.includes(method)) return 'safe'
  return unsafe.includes(method) ? 'unsafe' : 'refused'
}
