import { expect, test } from 'vitest'
import { getMethodTreatment } from './getMethodTreatment.ts'

test('default: methods that need no approval, methods that the user approves, refused methods', () => {
  for (const method of [
    ...['eth_accounts', 'eth_call', 'eth_getBalance', 'eth_chainId'],
    ...['net_version', 'web3_clientVersion', 'eth_getBlockByHash'],
    'wallet_getPendingTransactions',
    'wallet_disconnect',
  ])
    expect(getMethodTreatment(method)).toBe('safe')
  for (const method of [
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
  ])
    expect(getMethodTreatment(method)).toBe('unsafe')
  for (const method of ['eth_sign', 'eth_signTransaction', 'toString', '__proto__', ''])
    expect(getMethodTreatment(method)).toBe('refused')
})
