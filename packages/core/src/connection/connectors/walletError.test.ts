import { expect, test } from 'vitest'
import { rpcError } from '../../../test/fakeWallet.ts'
import { toWalletError, walletErrorCode } from './walletError.ts'

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('gotcha')
    },
  },
)

test.each([
  [rpcError(4001, 'x'), 'USER_REJECTED'],
  [new Error('MetaMask Tx Signature: User denied transaction signature.'), 'USER_REJECTED'],
  [rpcError(5000, 'User rejected methods'), 'USER_REJECTED'],
  [new Error('Connection request reset. Please try again.'), 'USER_REJECTED'],
  ['user rejected', 'USER_REJECTED'],
  [{ code: 'ACTION_REJECTED' }, 'USER_REJECTED'],
  [{ code: '4001' }, 'USER_REJECTED'],
  [rpcError(-32002, 'x'), 'REQUEST_PENDING'],
  [rpcError(4100, 'x'), 'UNAUTHORIZED'],
  [rpcError(4200, 'x'), 'UNSUPPORTED_METHOD'],
  [rpcError(-32601, 'x'), 'UNSUPPORTED_METHOD'],
  [rpcError(4900, 'x'), 'PROVIDER_DISCONNECTED'],
  [rpcError(4901, 'x'), 'CHAIN_DISCONNECTED'],
  [rpcError(4902, 'x'), 'UNRECOGNIZED_CHAIN'],
  [rpcError(-32603, 'x', { originalError: { code: 4902 } }), 'UNRECOGNIZED_CHAIN'],
  [rpcError(-32000, 'insufficient funds for gas'), 'INSUFFICIENT_FUNDS'],
  [rpcError(-32603, 'boom'), 'RPC_FAILED'],
  [rpcError(-32000, 'boom'), 'RPC_FAILED'],
  [rpcError(-32001, 'x'), 'RESOURCE_NOT_FOUND'],
  [rpcError(-32003, 'x'), 'TRANSACTION_REJECTED'],
  [rpcError(-32003, 'Insufficient funds for gas'), 'INSUFFICIENT_FUNDS'],
  [rpcError(-32004, 'x'), 'RPC_METHOD_UNSUPPORTED'],
  [rpcError(-32005, 'x'), 'LIMIT_EXCEEDED'],
  [rpcError(-32006, 'x'), 'RPC_VERSION_UNSUPPORTED'],
  [rpcError(5700, 'x'), 'CAPABILITY_UNSUPPORTED'],
  [rpcError(5710, 'x'), 'BATCH_CHAIN_UNSUPPORTED'],
  [rpcError(5720, 'x'), 'BATCH_ID_TAKEN'],
  [rpcError(5730, 'x'), 'BATCH_ID_UNKNOWN'],
  [rpcError(5740, 'x'), 'BATCH_TOO_LARGE'],
  [rpcError(5750, 'x'), 'UPGRADE_REJECTED'],
  [rpcError(5760, 'x'), 'ATOMICITY_UNSUPPORTED'],
  [undefined, 'RPC_FAILED'],
  [null, 'RPC_FAILED'],
  [7, 'RPC_FAILED'],
])('default: case %# is %s', (error, code) => {
  const found = toWalletError(error, 'm')
  expect(found.code).toBe(code)
  expect(found.cause).toBe(error)
})

test('behavior: an error whose fields throw does no harm', () => {
  expect(toWalletError(hostile, 'm').code).toBe('RPC_FAILED')
})

test('behavior: a long reason is cut', () => {
  expect(toWalletError(new Error('x'.repeat(9999)), 'm').message.length).toBe(200)
})

test('behavior: the code of a wrapped error comes first', () => {
  expect(walletErrorCode(rpcError(-32603, 'x', { originalError: { code: 4902 } }))).toBe(4902)
  expect(walletErrorCode(rpcError(5000, 'x'))).toBe(5000)
  expect(walletErrorCode({})).toBeUndefined()
})
