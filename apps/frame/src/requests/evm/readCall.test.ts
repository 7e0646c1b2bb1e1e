import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { answerReads, createTestRequest, dollars } from '../../../test/testRequest.ts'
import { callDecoders } from './abi.ts'
import { prepareTransaction } from './prepareTransaction.ts'
import { readCall } from './readCall.ts'

const account = '0x1111111111111111111111111111111111111111'
const to = '0x00000000000000000000000000000000000000AA'
const from = '0x1234560000000000000000000000000000009876'
const token = '0x00000000000000000000000000000000000000dd'
const read = (data: Hex, value = 0n) => readCall({ to: token, value, data }, account)
const encode = (name: string, args: readonly unknown[]) =>
  encodeFunctionData({
    abi: callDecoders.filter((one) => one.name === name && one.inputs.length === args.length),
    functionName: name,
    args,
  } as never)

test('default: reads calls of tokens', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  const units = (amount: bigint) => ({ kind: 'units', token, amount })
  const either = (amount: bigint) => ({ kind: 'either', token, amount })
  expect(read(data)).toEqual([{ kind: 'send', asset: units(5n), from: account, to }])
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 7n] })
  expect(read(approve)).toMatchObject([{ kind: 'allow', asset: either(7n), spender: to }])
  const args = [from, to, 9n] as const
  const item = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args })
  const owned = { kind: 'item', token, id: 9n, amount: 1n }
  expect(read(item)).toEqual([{ kind: 'send', asset: owned, from, to }])
  const all = encode('setApprovalForAll', [to, true])
  expect(read(all)).toEqual([{ kind: 'operate', collection: token, operator: to, approved: true }])
})

test('default: a function that moves nothing by itself is named with its arguments', () => {
  const named = (name: string, isHarmless: boolean) => [
    { kind: 'call', contract: token, data: '0x', name, isHarmless },
  ]
  expect(read(encode('withdraw', [5n]))).toEqual(named('withdraw(5)', false))
  // Its payment is what it takes. Without one, a vault takes what it is allowed to.
  expect(read(encode('deposit', []), 1n).slice(1)).toEqual(named('deposit()', true))
  expect(read(encode('deposit', []))).toEqual(named('deposit()', false))
})

const sample = (type: string): unknown => {
  if (type.endsWith('[]')) return type === 'bytes[]' ? [encode('transfer', [to, 5n])] : [7n]
  if (type === 'address') return to
  if (type === 'bool') return true
  if (type.startsWith('bytes')) return `0x${'11'.repeat(Number(type.slice(5)))}`
  return /^uint(8|16|24|32|40|48)$/.test(type) ? 7 : 7n
}

test('undo: each decoded function has an effect, is listed as harmless, or causes a warning', async () => {
  for (const { name, inputs } of callDecoders) {
    const data = encodeFunctionData({
      abi: callDecoders.filter((one) => one.name === name && one.inputs.length === inputs.length),
      functionName: name,
      args: inputs.map(({ type }) => sample(type)),
    } as never)
    const warningsOf = async (known: readonly string[]) => {
      const { view } = await prepareTransaction(
        createTestRequest({
          method: 'eth_sendTransaction',
          params: [{ from: account, to: token, data }],
          read: answerReads(dollars),
          keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
          known,
        }),
      )
      return view.warnings.map(({ level }) => level)
    }
    const nameOnly = read(data).some((one) => one.kind === 'call' && !one.isHarmless)
    // `deposit` alone is harmless, and only with a payment.
    const isHarmless = read(data, 1n).some((one) => one.kind === 'call' && one.isHarmless)
    expect([name, isHarmless]).toEqual([name, name === 'deposit'])
    expect([name, await warningsOf([])]).not.toEqual([name, []])
    if (nameOnly) {
      expect([name, await warningsOf([])]).toEqual([name, ['danger']])
      // A contract that was used before can belong to the page.
      expect([name, await warningsOf([token])]).toEqual([name, ['caution']])
    } else expect([name, read(data).filter(({ kind }) => kind !== 'call')]).not.toEqual([name, []])
  }
})

test('undo: functions that give rights away and that the card does not read are dangers', () => {
  const unread = [
    'transferOwnership(address)',
    'upgradeTo(address)',
    'upgradeToAndCall(address,bytes)',
    'authorizeOperator(address)',
    'operatorSend(address,address,uint256,bytes,bytes)',
    'redeem(uint256,address,address)',
    'withdraw(uint256,address,address)',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    'aggregate((address,bytes)[])',
    'aggregate3((address,bool,bytes)[])',
    'execute(bytes32,bytes)',
    'setOperator(address,bool)',
    'grantRole(bytes32,address)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'delegate(address)',
  ]
  for (const signature of unread) {
    const data = `${toFunctionSelector(signature)}${'00'.repeat(31)}01` as Hex
    expect([signature, read(data)]).toEqual([signature, [{ kind: 'call', contract: token, data }]])
  }
})

test('default: calls inside a call', () => {
  const inner = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  expect(read(encode('multicall', [[inner, inner]]))).toEqual([...read(inner), ...read(inner)])
})

test('error: a batch that is too deep, too long or empty is not read', () => {
  const inner = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  const nest = (data: Hex, depth: number): Hex =>
    depth === 0 ? data : nest(encode('multicall', [[data]]), depth - 1)
  const many = encode('multicall', [Array.from({ length: 11 }, () => inner)])
  const batchOf = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => BigInt(index))
    return encode('safeBatchTransferFrom', [account, to, items, items, '0x'])
  }
  const batch = batchOf(101)
  const nested = encode('multicall', [Array.from({ length: 2 }, () => batchOf(60))])
  const uneven = encode('safeBatchTransferFrom', [account, to, [1n, 2n], [1n], '0x'])
  for (const data of [nest(inner, 4), many, batch, uneven, encode('multicall', [[]]), nested])
    expect(read(data)).toMatchObject([{ kind: 'call', contract: token }])
})

test('error: data with something behind it, cut off or with dirty padding is not read', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
  const dirty = `${data.slice(0, 10)}ff${data.slice(12)}` as Hex
  for (const wrong of [`${data}00`, data.slice(0, -2), dirty, data.slice(0, 10), '0xa9'])
    expect(read(wrong as Hex)).toEqual([{ kind: 'call', contract: token, data: wrong }])
  // The list of calls, said to lie a word further on than it does.
  const batch = encode('multicall', [[data]])
  const moved = `${batch.slice(0, 10)}${(64).toString(16).padStart(64, '0')}${'0'.repeat(64)}${batch.slice(74)}`
  expect(read(moved as Hex)).toEqual([{ kind: 'call', contract: token, data: moved }])
})

test('error: no two readable calls have one selector', () => {
  const selectors = callDecoders.map((one) => toFunctionSelector(one))
  expect(new Set(selectors).size).toBe(selectors.length)
})

test('behavior: never throws for any bytes, and the value of the call comes first', () => {
  const selector = fc.constantFrom(
    ...callDecoders.map((one) => toFunctionSelector(one)),
    '0x',
    '0x12345678',
  )
  const value = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(selector, fc.uint8Array({ maxLength: 300 }), value, (begin, bytes, amount) => {
      const data = `${begin}${Buffer.from(bytes).toString('hex')}` as Hex
      const native = { kind: 'send', asset: { kind: 'native', amount }, from: account }
      expect(read(data, amount)[0]).toMatchObject({ ...native, to: token })
      const made = readCall({ to: undefined, value: amount, data }, account)
      expect(made[0]).toMatchObject({ ...native, to: undefined })
      expect(made[1]).toEqual({ kind: 'deploy', data })
    }),
  )
})

test('behavior: reads everything that leaves from a readable call, alone and in batches', () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex)
  const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const one = fc.oneof(
    fc.tuple(fc.constantFrom('transfer', 'approve', 'increaseAllowance'), address, amount),
    fc.tuple(fc.constant('transferFrom'), fc.constant(account), address, amount),
  )
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 10 }), (list) => {
      const data = list.map(([name, ...args]) => encode(name, args))
      const effects = read(encode('multicall', [data]))
      expect(effects).toHaveLength(list.length)
      for (const [index, [, ...args]] of list.entries()) {
        const effect = JSON.stringify(effects[index], (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ).toLowerCase()
        for (const arg of args) expect(effect).toContain(String(arg))
      }
    }),
  )
})
