import {
  type AbiFunction,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  type Hex,
  hashDomain,
  hashStruct,
  maxUint160,
  maxUint256,
  parseAbi,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { bob } from '../../../../../test/fakeWallet.ts'
import { device, livePath, mail, mailJson } from '../../../../../test/ledgerExchanges.ts'
import { readAllowanceCall } from '../readCall.ts'
import type { LedgerAccount } from './ledgerAccounts.ts'
import { prepareSigning } from './prepareSigning.ts'
import { joinSignature } from './signOnDevice.ts'

const chainId = 'eip155:31337'

const away = () => Promise.reject(new Error('Nobody is asked'))

/** The review of a page's request. There is no device, and a node only if the test provides one. */
const read = async (
  method: string,
  params: readonly unknown[],
  node: (method: string, params?: unknown) => Promise<unknown> = away,
) => {
  const account: LedgerAccount = {
    ...({ namespace: 'eip155', type: 'eoa' } as const),
    ...{ address: device.address, path: livePath(0) },
  }
  const question = { chainId, method, params, account, node, useDevice: away } as const
  return (await prepareSigning(question)).review
}

const readTyped = async (data: unknown) => {
  const review = await read('eth_signTypedData_v4', [device.address, data])
  if (review.kind !== 'typedData') throw new Error('Another kind')
  return review
}
const withMessage = (changes: object) => ({
  ...mailJson,
  message: { ...mailJson.message, ...changes },
})
const withTypes = (types: object, changes: object = {}) => ({
  ...withMessage(changes),
  types: { ...mailJson.types, ...types },
})

describe('typed data', () => {
  test('behavior: each getter of the page is read once, and what is shown is what is hashed', async () => {
    let reads = 0
    const data = withMessage({})
    Object.defineProperty(data.message, 'contents', {
      enumerable: true,
      get: () => `Text ${reads++}`,
    })
    const { rows, messageHash } = await readTyped(data)
    expect(reads).toBe(1)
    expect(rows).toContainEqual({ name: 'contents', value: 'Text 0' })
    const message = { ...mail.message, contents: 'Text 0' }
    expect(messageHash).toBe(hashStruct({ data: message, primaryType: 'Mail', types: mail.types }))
  })

  test('behavior: names that begin with a digit and large bulk orders are shown and hashed as by viem', async () => {
    const height = 8
    let tree: unknown[] = Array.from({ length: 2 ** height }, (_, at) => ({ '1st': at }))
    while (tree.length > 1)
      tree = Array.from({ length: tree.length / 2 }, (_, at) => tree.slice(2 * at, 2 * at + 2))
    const types = {
      Bulk: [{ name: '0', type: `2Part${'[2]'.repeat(height)}` }],
      '2Part': [{ name: '1st', type: 'uint256' }],
    }
    const asked = { domain: mailJson.domain, primaryType: 'Bulk', message: { 0: tree[0] } }
    const { rows, messageHash } = await readTyped({ ...asked, types })
    expect(rows).toHaveLength(256)
    expect(rows.at(-1)).toMatchObject({ value: '255' })
    expect(messageHash).toBe(
      hashStruct({ data: asked.message, primaryType: 'Bulk', types } as never),
    )
  })

  test('behavior: large numbers are taken as they are, also as the network', async () => {
    const { EIP712Domain: _, ...types } = mail.types
    const { domain, domainHash } = await readTyped({ ...mail, types })
    expect(domain).toContainEqual({ name: 'chainId', value: '31337' })
    expect(domainHash).toBe((await readTyped(mailJson)).domainHash)
  })

  test.each<[string, unknown]>([
    ['bytes as a text', withMessage({ contents: [72, 105] })],
    ['a text that is a number with a fraction', withMessage({ contents: 1.5 })],
    ['a text that is a truth value', withMessage({ contents: true })],
    ['a text that is missing', withMessage({ contents: undefined })],
    ['numbers in lists', withMessage({ marks: [[7], 9] })],
    ['a number as nothing', withMessage({ marks: [''] })],
    ['a list that is none', withMessage({ marks: 7 })],
    [
      'bytes as numbers',
      withTypes({ Mail: [{ name: 'raw', type: 'bytes' }] }, { raw: { 0: 1, length: 1 } }),
    ],
    ['bytes as a text', withTypes({ Mail: [{ name: 'raw', type: 'bytes' }] }, { raw: 'Hi' })],
    ['a type named like a list', withTypes({ 'uint8[]': [{ name: 'a', type: 'string' }] })],
    ['a type named like a value', withTypes({ uint8: [{ name: 'a', type: 'string' }] })],
    ['a type with a space', withTypes({ 'Mail ': [] })],
    ['a field with a bracket', withTypes({ Mail: [{ name: 'to) x(', type: 'address' }] })],
    ['a field twice', withTypes({ Mail: [...mail.types.Mail, { name: 'to', type: 'address' }] })],
    ['a list of another length', withTypes({ Mail: [{ name: 'marks', type: 'uint8[3]' }] })],
  ])('error: %s', async (_, data) => {
    await expect(readTyped(data)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  test('behavior: what the market signs: a type with a colon, a version that is a number, a domain of Cosmos', async () => {
    const name = 'HyperliquidTransaction:UsdSend'
    const domainTypes = {
      EIP712Domain: [
        { name: 'version', type: 'string' },
        { name: 'verifyingContract', type: 'string' },
      ],
    }
    const types = { ...domainTypes, [name]: [{ name: 'amount', type: 'string' }] }
    const domain = { version: 1, verifyingContract: 'cosmos' }
    const message = { amount: '1' }
    const review = await readTyped({ types, primaryType: name, domain, message })
    expect(review.messageHash).toBe(hashStruct({ data: message, primaryType: name, types }))
    expect(review.domainHash).toBe(hashDomain({ domain: domain as never, types }))
    expect(review.domain).toContainEqual({ name: 'version', value: '1 (a number)' })
  })

  test('error: the field that is not valid is named', async () => {
    await expect(readTyped(withMessage({ marks: [7, 'x'] }))).rejects.toThrow(
      'message.marks[1] is not a valid uint8',
    )
    await expect(readTyped(withMessage({ contents: undefined }))).rejects.toThrow(
      'message.contents is not a valid string',
    )
  })

  test.each([
    ['value', 'uint256', String(2n ** 128n), true],
    ['value', 'uint256', String(2n ** 128n - 1n), false],
    ['value', 'uint256', `0x${'f'.repeat(64)}`, true],
    ['amount', 'uint160', String(maxUint160), true],
    ['amount', 'uint96', String(2n ** 96n - 1n), true],
    ['allowed', 'bool', true, true],
    ['allowed', 'bool', false, false],
    ['deadline', 'uint256', String(maxUint256), false],
  ])(
    'behavior: a permit of %s %s %s is without a limit: %s',
    async (name, type, value, expected) => {
      const Permit = [
        { name: 'spender', type: 'address' },
        { name, type },
      ]
      const { types, domain } = mailJson
      const message = { spender: bob, [name]: value }
      const whole = { domain, types: { ...types, Permit }, primaryType: 'Permit', message }
      expect((await readTyped(whole)).isUnlimited).toBe(expected)
    },
  )
})

test('behavior: a byte order mark before a message is shown too', async () => {
  const review = await read('personal_sign', ['0xefbbbf4869', device.address])
  expect(review).toMatchObject({ text: '\ufeffHi', isText: true })
})

test('behavior: the recovery id is a number, or hex', () => {
  const signature = { r: '1', s: '2' }
  expect(joinSignature({ ...signature, v: '1b' }).slice(-2)).toBe('1b')
  expect(joinSignature({ ...signature, v: '1c' }).slice(-2)).toBe('1c')
  expect(joinSignature({ ...signature, v: 1 }).slice(-2)).toBe('1c')
})

test('behavior: fields that are null or empty count as left out, and typed data may have the older name', async () => {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: { number: '0x1' },
    eth_gasPrice: '0xa',
    eth_getTransactionCount: '0x0',
  }
  const node = (method: string) => Promise.resolve(answers[method])
  const transaction = { from: device.address, to: bob, gas: '0x5208' }
  for (const left of [{ value: null }, { data: '' }, { value: '', data: null }, { value: '0x' }])
    expect(await read('eth_sendTransaction', [{ ...transaction, ...left }], node)).toMatchObject({
      valueWei: 0n,
      data: undefined,
    })
  const typed = await read('eth_signTypedData_v3', [device.address, mailJson])
  expect(typed).toEqual(await readTyped(mailJson))
})

test('behavior: the fee of a transaction includes what a rollup charges for its data and its access list', async () => {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: { number: '0x1' },
    eth_gasPrice: '0xa',
    eth_getTransactionCount: '0x0',
  }
  // The contract of Scroll, which here charges a wei for each byte.
  const node = async (method: string, params: unknown) => {
    if (method !== 'eth_call') return answers[method]
    const [{ to, data }] = params as [{ to: string; data: string }]
    return to.endsWith('02') ? `0x${data.slice(10 + 64, 10 + 128)}` : '0x'
  }
  const transaction = { from: device.address, to: bob, gas: '0x5208', type: '0x1' }
  const accessList = [{ address: bob, storageKeys: [`0x${'01'.repeat(32)}`] }]
  const feeOf = async (more: object) => {
    const review = await read('eth_sendTransaction', [{ ...transaction, ...more }], node)
    if (review.kind !== 'transaction') throw new Error('Another kind')
    return review.maxFeeWei - 21_000n * 12n
  }
  const plain = await feeOf({})
  expect(plain).toBeGreaterThan(100n)
  expect(await feeOf({ data: `0x${'ab'.repeat(100)}` })).toBe(plain + 150n)
  expect(await feeOf({ accessList })).toBe(plain + ((20n + 32n) * 3n) / 2n)
})

test('error: a network whose blocks have no base fee has no transactions of type 2', async () => {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: { number: '0x1' },
    eth_gasPrice: '0xa',
    eth_getTransactionCount: '0x0',
  }
  const node = (method: string) => Promise.resolve(answers[method])
  const transaction = { from: device.address, to: bob, gas: '0x5208' }
  const readAs = (type?: string) => read('eth_sendTransaction', [{ ...transaction, type }], node)
  for (const type of [undefined, '0x0', '0x1'])
    expect(await readAs(type)).toMatchObject({ maxFeeWei: 21_000n * 12n })
  await expect(readAs('0x2')).rejects.toThrow(/of type 0, not 2/)
})

describe('allowances', () => {
  const abi = parseAbi([
    'function approve(address spender, uint256 amount)',
    'function increaseAllowance(address spender, uint256 addedValue)',
    'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    'function transfer(address to, uint256 amount)',
  ])
  const spender = bob as Hex
  const encode = (at: number, args: readonly unknown[]) =>
    encodeFunctionData({ abi: abi.slice(at, at + 1), args } as never)
  test.each<[string, Hex, boolean]>([
    ['2^128', encode(0, [spender, 2n ** 128n]), true],
    ['less', encode(0, [spender, 2n ** 128n - 1n]), false],
    ['all that 96 bits hold', encode(0, [spender, 2n ** 96n - 1n]), true],
    ['an increase', encode(1, [spender, maxUint256]), true],
    ['by Permit2', encode(2, [spender, spender, maxUint160, 0]), true],
    ['little by Permit2', encode(2, [spender, spender, 5n, 2 ** 48 - 1]), false],
    ['a transfer', encode(3, [spender, maxUint256]), false],
  ])('behavior: without a limit, %s', (_, data, expected) => {
    expect(readAllowanceCall(data)?.isUnlimited).toBe(expected)
  })

  test('undo: every function that is read changes a right, except those that only send', () => {
    const functions = [...erc20Abi, ...erc721Abi, ...erc1155Abi, ...abi].filter(
      (item) => item.type === 'function' && item.stateMutability !== 'view',
    )
    expect(functions.length).toBeGreaterThan(10)
    const sample = (type: string) => {
      if (type.endsWith('[]')) return [1n]
      if (type === 'address') return spender
      if (type.startsWith('bytes')) return '0x'
      return type === 'bool' ? true : type === 'uint48' ? 1 : 1n
    }
    for (const item of functions as readonly AbiFunction[]) {
      const args = item.inputs.map(({ type }) => sample(type))
      const data = encodeFunctionData({ abi: [item], args } as never)
      expect([item.name, readAllowanceCall(data)?.changesRights]).toEqual([
        ...[item.name, !/^(safe)?(Batch)?transfer/i.test(item.name)],
      ])
    }
  })
})
