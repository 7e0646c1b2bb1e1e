/** Reads that the frame answers by itself (spec §6); they survive when open requests are aborted. */
const safe: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_estimateUserOperationGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_supportedEntryPoints',
  'eth_syncing',
  'eth_uninstallFilter',
  'wallet_getAssets',
  'wallet_getCallsStatus',
  'wallet_getCapabilities',
])

/** What a person has to approve, and what must come back (spec §6). */
const unsafe: Readonly<Record<string, AnswerKind | 'any'>> = {
  personal_sign: 'signature',
  eth_signTypedData_v4: 'signature',
  eth_sendTransaction: 'hash',
  eth_sendUserOperation: 'hash',
  solana_signMessage: 'any',
  solana_signTransaction: 'any',
  solana_signAllTransactions: 'any',
  solana_signAndSendTransaction: 'any',
  wallet_sendCalls: 'any',
  wallet_grantPermissions: 'any',
  wallet_revokePermissions: 'any',
}

/** How a method is treated: answered silently, approved by a person, or refused. */
export const treatmentOf = (method: string): 'safe' | 'unsafe' | 'refused' =>
  safe.has(method) ? 'safe' : Object.hasOwn(unsafe, method) ? 'unsafe' : 'refused'

export type AnswerKind = 'hash' | 'signature' | 'object'

/** What an answer is: 64 hex characters are a transaction's hash, at least 62 a signature, all else an object (spec §3). */
export function kindOfAnswer(answer: unknown): AnswerKind {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{62,}$/.test(answer)) return 'object'
  return answer.length === 66 ? 'hash' : 'signature'
}

/** Whether an answer can be one of the method. */
export function isAnswerTo(method: string, answer: unknown): boolean {
  const wanted = Object.hasOwn(unsafe, method) ? unsafe[method] : 'any'
  return wanted === 'any' || kindOfAnswer(answer) === wanted
}
