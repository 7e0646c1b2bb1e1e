import { expect, test } from 'vitest'
import { findReadFault } from './readReplies.ts'

const fail = (code: number, message: string, method = 'eth_call') =>
  findReadFault({ error: JSON.stringify({ code, message }) }, method)

test.each([
  // Geth and Erigon.
  [-32000, 'return data out of bounds'],
  [-32000, 'write protection'],
  [-32000, 'invalid opcode: INVALID'],
  [-32000, 'stack underflow (0 <=> 2)'],
  [-32000, 'stack limit reached 1024 (1023)'],
  [-32000, 'out of gas'],
  [-32000, 'gas uint64 overflow'],
  [-32000, 'invalid jump destination'],
  [-32000, 'max code size exceeded'],
  [-32000, 'max initcode size exceeded: code size 50000 limit 49152'],
  [-32000, 'max call depth exceeded'],
  [-32000, 'contract address collision'],
  [-32000, 'nonce uint64 overflow'],
  [-32000, 'insufficient balance for transfer'],
  [-32000, 'invalid code: must not begin with 0xef'],
  [-32000, 'bn256: malformed point'],
  [-32000, 'invalid input length'],
  [-32000, 'execution aborted (timeout = 5s)'],
  [-32000, 'insufficient funds for gas * price + value: address 0x01 have 0 want 1'],
  [-32000, 'execution reverted: database is unavailable, block not found, too many requests'],
  // Nethermind.
  [-32015, 'VM execution error.'],
  [-32000, 'BadInstruction'],
  [-32000, 'AccessViolation'],
  [-32000, 'StaticCallViolation'],
  [-32000, 'PrecompileFailure'],
  [-32016, 'eth_call request was canceled due to enabled timeout.'],
  // Besu.
  [-32000, 'INVALID_RETURN_DATA_BUFFER_ACCESS'],
  [-32000, 'ILLEGAL_STATE_CHANGE'],
  [-32000, 'CODE_TOO_LARGE'],
  [-32000, 'PRECOMPILE_ERROR'],
  // Reth and anvil.
  [-32603, 'EVM error OutOfOffset'],
  [-32003, 'CallNotAllowedInsideStatic'],
  [-32003, 'StateChangeDuringStaticCall'],
  [-32003, 'OpcodeNotFound'],
  [-32003, 'CreateContractSizeLimit'],
  [-32003, 'OutOfFunds'],
  [-32003, 'max initcode size exceeded'],
])('default: %i %s is what a contract did', (code, message) => {
  expect(fail(code, message)).toBeUndefined()
  expect(fail(code, message, 'eth_estimateGas')).toBeUndefined()
})

test.each([
  [-32000, 'header not found'],
  [-32000, 'missing trie node 0a (path ) state 0x0b is not available'],
  [-32000, 'required historical state unavailable (reexec=128)'],
  [-32000, 'historical state 0a is not available'],
  [-32000, 'unknown block'],
  [-32000, 'old data not available due to pruning'],
  [-32000, 'canonical hash marker not found'],
  [-32000, 'World state unavailable'],
  [-32001, 'No state available for block 0x1'],
  [-32001, 'Resource not found'],
  [-32002, 'Node is syncing'],
  [-32000, 'state at block #5 is pruned'],
  [-32000, 'block not found: latest'],
  [-32603, 'Internal error'],
  [-32603, 'internal blocking task error'],
  [-32000, 'server shutting down'],
  [-32000, 'leveldb: closed'],
  [-32601, 'the method eth_call does not exist/is not available'],
  [-32000, 'try again later'],
])('error: %i %s is a fault of the node', (code, message) => {
  expect(fail(code, message)).toBeDefined()
})

test('behavior: an unknown error of a method that runs no code is a fault of the node', () => {
  expect(fail(-32000, 'return data out of bounds', 'eth_getLogs')).toBe('nodeFault')
  expect(fail(-32000, 'something else', 'eth_getBalance')).toBe('nodeFault')
})
