import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../test/startSmartChain.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import { delegateAddress, entryPointAddress } from '../../smartAccount.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { createCallsAccess } from './callsAccess.ts'
import { encodeCalls } from './operation/accountCalls.ts'
import { prepareSendCalls } from './prepareCalls.ts'

const sink: Hex = '0x00000000000000000000000000000000000c0de2'
const evil: Hex = '0x000000000000000000000000000000000000e511'
const most: Hex = `0x${'f'.repeat(32)}`

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())

const approve = (amount: bigint) => ({
  to: world.chains.addresses['eip155:31337'].usd,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sink, amount] }),
})
const pay = { to: sink, value: 5n, data: '0x' as Hex }

/**
 * A new account with money, a page that requests user operations, and what its bundler receives.
 */
async function open({ smart = true } = {}) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, parseEther('1'))
  const calls = createCallsAccess(createMemoryStore(), {
    origin: 'https://app.example',
    account: address,
  })
  if (smart) await calls.writeType('smartAccount')
  const sent: Record<string, unknown>[] = []
  const watch: ApprovalRequest['read'] = (chain, method, params) => {
    if (method === 'eth_sendUserOperation') sent.push((params as [Record<string, unknown>])[0])
    return world.read(chain, method, params)
  }
  const base = { key, calls, read: watch }
  const operation = { sender: address, callData: encodeCalls([pay, approve(7n)]) }
  const ask = (params: unknown, more: Partial<ApprovalRequest> = {}) =>
    prepareRequest(
      createOwnRequest(world, { ...base, method: 'eth_sendUserOperation', params, ...more }),
    )
  return {
    address,
    calls,
    sent,
    base,
    operation,
    ask,
    /** With other fields. */
    askWith: (changed: object) => ask([{ ...operation, ...changed }, entryPointAddress]),
  }
}

const errorCode = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  )

test('default: a user operation is shown as the same calls by wallet_sendCalls, and its hash is the answer', async () => {
  const { address, ask, base, operation, sent } = await open()
  const prepared = await ask([operation, entryPointAddress])
  const batch = {
    version: '2.0.0',
    from: address,
    chainId: '0x7a69',
    atomicRequired: true,
    calls: [
      { to: pay.to, value: '0x5' },
      { to: approve(7n).to, data: approve(7n).data },
    ],
  }
  const same = await prepareSendCalls(createOwnRequest(world, { ...base, params: [batch] }))
  // The highest fee is of the block at which each was built.
  const withoutFee = ({ place, ...view }: typeof prepared.view) => ({
    ...view,
    place: place.filter(({ label }) => !label.includes('fee')),
  })
  expect(withoutFee(prepared.view)).toEqual(withoutFee(same.view))
  expect(JSON.stringify(prepared.view)).toContain('2 of 2')
  const hash = await prepared.approve()
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(sent[0]?.callData).toBe(operation.callData)
  await expect
    .poll(() => world.read(world.chain, 'eth_getUserOperationReceipt', [hash]))
    .toMatchObject({ success: true, sender: expect.stringMatching(new RegExp(address, 'i')) })
})

test('behavior: prompts a plain account to upgrade, and a refusal throws UPGRADE_REJECTED', async () => {
  const { ask, operation, calls } = await open({ smart: false })
  const prepared = await ask([operation, entryPointAddress])
  expect(JSON.stringify(prepared.view)).toContain('Turns on your smart account')
  expect(prepared.refusedAs).toBe('UPGRADE_REJECTED')
  await prepared.approve()
  expect(await calls.readType()).toBe('smartAccount')
})

test('security: does not sign the page’s nonce, gas, fees, paymaster or signature', async () => {
  const { address, askWith, sent, operation } = await open()
  const { paymaster } = world.chain.smartAccounts?.sponsor ?? {}
  const lies = {
    nonce: '0x7',
    callGasLimit: most,
    verificationGasLimit: most,
    preVerificationGas: most,
    maxFeePerGas: most,
    maxPriorityFeePerGas: most,
    paymaster,
    paymasterVerificationGasLimit: most,
    paymasterPostOpGasLimit: most,
    paymasterData: '0xe511',
    signature: '0xe511',
    factory: '0x7702',
    factoryData: '0x',
  }
  const prepared = await askWith(lies)
  // The operator pays only for its own contract, even if the page names another.
  expect(JSON.stringify(prepared.view)).not.toContain('Shop')
  await prepared.approve()
  const [signed = {}] = sent
  for (const [field, lie] of Object.entries(lies).filter(([name]) => !/^factory/.test(name)))
    expect(signed[field], field).not.toBe(lie)
  expect(signed.paymaster).toBeUndefined()
  expect(signed).toMatchObject({
    sender: address.toLowerCase(),
    callData: operation.callData,
    factory: '0x7702',
    factoryData: '0x',
    eip7702Auth: { address: delegateAddress, chainId: '0x7a69' },
  })
})

test('error: a field that would do something else than the calls is refused, each by itself', async () => {
  const { address, ask, askWith, operation } = await open()
  const auth = { address: delegateAddress, chainId: '0x7a69', nonce: '0x0', r: '0x1', s: '0x1' }
  for (const [changed, code] of [
    [{ sender: evil }, 'UNAUTHORIZED'],
    [{ sender: undefined }, 'INVALID_PARAMS'],
    [{ eip7702Auth: auth }, 'REQUEST_NOT_ALLOWED'],
    [{ paymaster: evil }, 'CAPABILITY_UNSUPPORTED'],
    [{ paymaster: '0x1234' }, 'INVALID_PARAMS'],
    [{ factory: evil }, 'INVALID_PARAMS'],
    [{ factory: '0x7702', factoryData: '0x12345678' }, 'INVALID_PARAMS'],
    [{ nonce: '7' }, 'INVALID_PARAMS'],
    [{ nonce: `0x1${'0'.repeat(64)}` }, 'INVALID_PARAMS'],
    [{ callGasLimit: -1 }, 'INVALID_PARAMS'],
    [{ verificationGasLimit: 'much' }, 'INVALID_PARAMS'],
    [{ preVerificationGas: {} }, 'INVALID_PARAMS'],
    [{ maxFeePerGas: '1' }, 'INVALID_PARAMS'],
    [{ maxPriorityFeePerGas: 1 }, 'INVALID_PARAMS'],
    [{ paymasterData: '0xabc' }, 'INVALID_PARAMS'],
    [{ signature: 'signed' }, 'INVALID_PARAMS'],
    // Of EntryPoint 0.6, and of nothing.
    [{ initCode: '0x' }, 'INVALID_PARAMS'],
    [{ paymasterAndData: evil }, 'INVALID_PARAMS'],
    [{ chainId: '0x1' }, 'INVALID_PARAMS'],
  ] as const)
    expect([changed, await errorCode(askWith(changed))]).toEqual([changed, code])
  for (const at of [
    '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
    '0x0000000071727de22e5e9d8baf0edac6f37da032',
    evil,
    undefined,
  ])
    expect(await errorCode(ask([operation, at]))).toBe('INVALID_PARAMS')
  expect(await errorCode(ask([operation, entryPointAddress, {}]))).toBe('INVALID_PARAMS')
  expect(await errorCode(ask([]))).toBe('INVALID_PARAMS')
  // A network without smart accounts, as for the other methods of a bundler.
  const { smartAccounts: _, ...bare } = world.chain
  expect(await errorCode(ask([operation, entryPointAddress], { chain: bare }))).toBe(
    'UNSUPPORTED_METHOD',
  )
  expect(address).toBe(operation.sender)
})

test('error: bytes that are not exactly calls of the account are refused', async () => {
  const { address, askWith } = await open()
  const code = (callData: unknown) => errorCode(askWith({ callData }))
  const batch = encodeCalls([pay, approve(7n)])
  const one = encodeCalls([pay])
  const word = (value: number) => value.toString(16).padStart(64, '0')
  for (const bytes of [
    '0x',
    '0x12345678',
    // The functions of other accounts that execute.
    `0xe9ae5c53${batch.slice(10)}`,
    `0x51945447${one.slice(10)}`,
    batch.slice(0, -2),
    batch.slice(0, -64),
    `${batch}00`,
    `${one}${word(0)}`,
    // The list begins elsewhere, its second call is the first, or the target has more than 20
    // bytes.
    batch.replace(word(0x20), word(0x40)),
    `0x34fcd5be${word(0x20)}${word(2)}${word(0x40)}${word(0x40)}${one.slice(10)}`,
    `0xb61d27f6${one.slice(10).replace('0000000000', '0000000001')}`,
    encodeCalls([]),
    `0x34fcd5be${word(0x20)}${'f'.repeat(64)}`,
    `0x34fcd5be${'f'.repeat(64)}`,
    `0x${'00'.repeat(30_002)}`,
    'execute',
    null,
  ])
    expect([bytes, await code(bytes)]).toEqual([bytes, 'INVALID_PARAMS'])
  // Calls within a call, and more than a batch may have.
  for (const to of [address.toLowerCase() as Hex, '0x8c58695bbf101d3af7565014b3d33ffb6a8a8271'])
    expect(await code(encodeCalls([pay, { to: to as Hex, value: 0n, data: one }]))).toBe(
      'REQUEST_NOT_ALLOWED',
    )
  expect(await code(encodeCalls(Array.from({ length: 21 }, () => pay)))).toBe('BATCH_TOO_LARGE')
  const long = { ...pay, data: `0x${'00'.repeat(24_001)}` as Hex }
  expect(await code(encodeCalls([long]))).toBe('BATCH_TOO_LARGE')
  const all = { ...pay, value: 2n ** 256n - 1n }
  expect(await code(encodeCalls([all, pay]))).toBe('INVALID_PARAMS')
  // Letters of either case are the same bytes.
  expect(await code(batch.toUpperCase().replace('0X', '0x'))).toBe('none')
})
