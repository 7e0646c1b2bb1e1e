import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../test/startSmartChain.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { createCallsAccess } from './callsAccess.ts'

const spender: Hex = '0x00000000000000000000000000000000000c0de4'
const paid = 'None: Shop pays it'
const unpaid = 'You. Shop does not pay for this transaction'

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())

/** A new account that a page requests a transaction from. */
async function open({ wei = 0n, smart = true } = {}) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, wei)
  const calls = createCallsAccess(createMemoryStore(), {
    origin: 'https://a.example',
    account: address,
  })
  if (smart) await calls.writeType('smartAccount')
  const prepare = (transaction: object, more: Partial<ApprovalRequest> = {}) =>
    prepareRequest(
      createOwnRequest(world, {
        key,
        calls,
        method: 'eth_sendTransaction',
        params: [{ from: address, ...transaction }],
        ...more,
      }),
    )
  return { address, prepare }
}

const usd = () => world.chains.addresses['eip155:31337'].usd
/** A call of the token, which the operator pays for. */
const ask = (functionName: 'approve' | 'transfer', amount: bigint) => ({
  to: usd(),
  data: encodeFunctionData({ abi: erc20Abi, functionName, args: [spender, amount] }),
})
const allowanceOf = async (owner: Hex) => {
  const given = { abi: erc20Abi, functionName: 'allowance' as const }
  const data = encodeFunctionData({ ...given, args: [owner, spender] })
  const answer = await world.read(world.chain, 'eth_call', [{ to: usd(), data }, 'latest'])
  return decodeFunctionResult({ ...given, data: answer as Hex })
}
const place = ({ view }: PreparedApproval) => JSON.stringify(view.place)
/** Approves, and waits as the page does. */
async function approve(prepared: PreparedApproval): Promise<unknown> {
  const result = await prepared.approve()
  return typeof result === 'function' ? result() : result
}
const errorCode = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  )

test('default: the operator pays for a single transaction of an account without money, which the card says', async () => {
  const { address, prepare } = await open()
  const prepared = await prepare(ask('approve', 7n))
  expect(place(prepared)).toContain(paid)
  expect(place(prepared)).not.toContain('at most')
  expect(prepared.view.groups.at(-1)?.label).toBe('Turns on your smart account')
  expect(await prepared.recheck?.()).toBeUndefined()
  const hash = await approve(prepared)
  const receipt = await world.read(world.chain, 'eth_getTransactionReceipt', [hash])
  expect(receipt).toMatchObject({ status: '0x1' })
  expect(await allowanceOf(address)).toBe(7n)
  // The second transaction does not delegate again.
  expect((await prepare(ask('approve', 8n))).view.groups).toHaveLength(1)
})

test('behavior: the first operation is tried out with the code that it brings, and later ones as they are', async () => {
  const { prepare } = await open()
  const asked: unknown[] = []
  const fetchSimulation: ApprovalRequest['fetchSimulation'] = async (given) => {
    asked.push(given.delegation)
    return world.fetchSimulation(given)
  }
  const first = await prepare(ask('approve', 7n), { fetchSimulation })
  expect(place(first)).toContain('No other changes found')
  expect(await first.recheck?.()).toBeUndefined()
  expect(asked).toEqual(['ours', 'ours'])
  await approve(first)
  await prepare(ask('approve', 8n), { fetchSimulation })
  expect(asked.slice(2)).toEqual([undefined])
})

test('behavior: the allowance of a sponsored operation can be lowered, and never raised', async () => {
  const { address, prepare } = await open()
  const prepared = await prepare(ask('approve', 7n))
  for (const amount of [0n, 8n])
    expect(await errorCode(prepared.edit?.(amount) ?? Promise.resolve())).toBe('INVALID_PARAMS')
  const lowered = await prepared.edit?.(3n)
  if (!lowered) throw new Error('The amount can be edited')
  expect(place(lowered)).toContain(paid)
  expect(JSON.stringify(lowered.view.groups)).toContain('Site requested')
  await approve(lowered)
  expect(await allowanceOf(address)).toBe(3n)
})

test('behavior: a call that is not sponsored becomes a plain transaction, and the card shows who pays', async () => {
  const { address, prepare } = await open({ wei: parseEther('1') })
  const prepared = await prepare({ to: spender, value: '0x5' })
  expect(place(prepared)).toMatch(/Network fee, up to.*You. Shop does not pay for this transaction/)
  const hash = await approve(prepared)
  expect(await world.read(world.chain, 'eth_getTransactionByHash', [hash])).toMatchObject({
    from: address.toLowerCase(),
    to: spender,
  })
  // A transaction that creates a contract is plain too.
  expect(place(await prepare({ data: '0x600060005500' }))).toContain(unpaid)
})

test('behavior: a plain account, and a network whose operator pays for nothing, hear nothing of a payer', async () => {
  const wei = parseEther('1')
  const [plain, smart] = await Promise.all([open({ wei, smart: false }), open({ wei })])
  const chain = { ...world.chain, smartAccounts: {} }
  for (const one of [
    await plain.prepare(ask('approve', 7n)),
    await smart.prepare(ask('approve', 7n), { chain }),
  ]) {
    expect(place(one)).not.toContain('Shop')
    expect(one.view.groups).toHaveLength(1)
  }
})

test('error: with a silent bundler, another paymaster or a foreign delegate, the account pays', async () => {
  const { address, prepare } = await open({ wei: parseEther('1') })
  const other = {
    paymaster: spender,
    paymasterData: '0x',
    paymasterVerificationGasLimit: '0x1',
    paymasterPostOpGasLimit: '0x0',
  }
  const lies: Record<string, () => unknown> = {
    eth_estimateUserOperationGas: () => Promise.reject(new Error('offline')),
    pm_getPaymasterStubData: () => other,
    pm_getPaymasterData: () => other,
    eth_getCode: () => `0xef0100${spender.slice(2)}`,
  }
  for (const [method, lie] of Object.entries(lies)) {
    const read: ApprovalRequest['read'] = async (chain, name, params) => {
      const isOwn = name !== 'eth_getCode' || (params as unknown[])[0] === address
      return name === method && isOwn ? lie() : world.read(chain, name, params)
    }
    const prepared = await prepare(ask('approve', 7n), { read })
    expect(place(prepared)).toContain(unpaid)
    expect(JSON.stringify(prepared.view)).not.toContain('Turns on')
  }
})

test('error: a transaction that no longer works is an error, although its bundle succeeds', async () => {
  const { address, prepare } = await open()
  await world.giveUsd(address, 10n)
  const [first, second] = [await prepare(ask('transfer', 10n)), await prepare(ask('transfer', 10n))]
  expect(await approve(first)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await errorCode(approve(second))).toBe('RPC_FAILED')
})

test('error: a page cannot bring its own payer, delegation or calls of the account to itself', async () => {
  const { address, prepare } = await open()
  const asked = ask('approve', 7n)
  const mine = { paymaster: spender, paymasterData: '0x01', callData: '0x34fcd5be', nonce: '0x0' }
  const prepared = await prepare({ ...asked, ...mine, gas: '0x1', maxFeePerGas: '0x1' })
  expect(place(prepared)).toContain(paid)
  expect(prepared.view.title).toBe((await prepare(asked)).view.title)
  expect(await errorCode(prepare({ ...asked, authorizationList: [] }))).toBe('INVALID_PARAMS')
  expect(await errorCode(prepare({ ...asked, type: '0x4' }))).toBe('INVALID_PARAMS')
  expect(await errorCode(prepare({ to: address, data: '0x34fcd5be' }))).toBe('REQUEST_NOT_ALLOWED')
})
