import { evmReadMethods } from './evmMethods.ts'

/** Reads that the frame answers by itself, as existing clients expect; they continue when open requests are aborted. */
const safe: ReadonlySet<string> = new Set([
  ...evmReadMethods,
  'eth_accounts',
  'eth_getAccount',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'eth_getUserOperationReceipt',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'wallet_getAssets',
])

/** Methods that a person decides on. Methods in neither list are not allowed, `eth_sign` for example. */
const unsafe: ReadonlySet<string> = new Set([
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'eth_sendUserOperation',
])

/** How the frame treats a method that the host page calls: answers it, asks the user, or refuses it. */
export const treatmentOf = (method: string): 'safe' | 'unsafe' | 'refused' =>
  safe.has(method) ? 'safe' : unsafe.has(method) ? 'unsafe' : 'refused'
