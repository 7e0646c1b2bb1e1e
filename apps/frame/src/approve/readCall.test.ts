import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { callAbi } from './abi.ts'
import { readCall } from './readCall.ts'

const to = '0x00000000000000000000000000000000000000AA'
const from = '0x1234560000000000000000000000000000009876'

test('default: what tokens are asked to do', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  expect(readCall(data)).toEqual({ kind: 'transfer', to, amount: 5n })
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 7n] })
  expect(readCall(approve)).toEqual({ kind: 'approve', spender: to, amount: 7n })
  const args = [from, to, 9n] as const
  const item = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args })
  expect(readCall(item)).toMatchObject({ kind: 'item', to, ids: [9n], amounts: [1n] })
  const all = encodeFunctionData({
    abi: erc721Abi,
    functionName: 'setApprovalForAll',
    args: [to, true],
  })
  expect(readCall(all)).toEqual({ kind: 'operator', operator: to, approved: true })
})

test('default: calls inside a call', () => {
  const inner = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  const abi = callAbi.filter(({ name, inputs }) => name === 'multicall' && inputs.length === 1)
  const data = encodeFunctionData({
    abi: abi as never,
    functionName: 'multicall',
    args: [[inner]],
  } as never)
  expect(readCall(data)).toEqual({ kind: 'multicall', calls: [inner] })
})

test('error: data with something behind it, cut off or with dirty padding is not read', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  const dirty = `${data.slice(0, 10)}ff${data.slice(12)}` as Hex
  for (const wrong of [`${data}00`, data.slice(0, -2), dirty, data.slice(0, 10), '0x', '0xa9'])
    expect(readCall(wrong as Hex)).toEqual({ kind: 'unknown' })
})

test('behavior: no bytes make it throw, and few make it believe', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(callAbi.length - 1), (bytes, at) => {
      const rest = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      const selectors = ['a9059cbb', '095ea7b3', '23b872dd', 'ac9650d8', '2eb2c2d6', 'd505accf']
      const data = `0x${selectors[at % selectors.length]}${rest}` as Hex
      return typeof readCall(data).kind === 'string'
    }),
  )
})
