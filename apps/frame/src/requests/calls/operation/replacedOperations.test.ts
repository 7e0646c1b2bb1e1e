import { LatchkeyError } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../../test/startSmartChain.ts'
import { prepareRequest } from '../../../../test/testRequest.ts'
import { replacement as t } from '../../../locales/replacement.en.ts'
import { createMemoryStore, type KeyStore } from '../../../wallet/keyStore.ts'
import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import { createSafeRequestHandler } from '../../createSafeRequestHandler.ts'
import { createCallsAccess } from '../callsAccess.ts'

const site = 'https://app.example'
const other = 'https://other.example'

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())

const ask = async (method: string, params: unknown[]): Promise<unknown> => {
  const response = await fetch(world.chains.urls['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}
const read = (method: string, ...params: unknown[]) => world.read(world.chain, method, params)

type Pending = { hash: string; earlier: string[]; isCancelled: boolean; batchId?: string }
type Operation = Record<'maxFeePerGas' | 'maxPriorityFeePerGas' | 'nonce' | 'callData', string>
const readOperation = async (hash: string) =>
  ((await read('eth_getUserOperationByHash', hash)) as { userOperation: Operation }).userOperation

/** Reads the pending operations of each account of the test. */
const opened: (() => Promise<readonly unknown[]>)[] = []

/** A smart account, and pages that use it in one browser. */
async function open({ wei = parseEther('1') } = {}) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, wei)
  const store: KeyStore = createMemoryStore()
  const accessOf = (origin: string) => createCallsAccess(store, { origin, account: address })
  await accessOf(site).writeType('smartAccount')
  const prepare = (
    method: string,
    params: unknown,
    origin = site,
    more: Partial<ApprovalRequest> = {},
  ) =>
    prepareRequest(
      createOwnRequest(world, { key, calls: accessOf(origin), method, params, origin, ...more }),
    )
  const answer = (method: string, params: unknown, origin = site) =>
    createSafeRequestHandler({
      read: world.read,
      account: async () => address,
      chains: [world.chain],
      access: () => accessOf(origin),
      session: {} as never,
    })({ method, params, chain: world.chain }, new AbortController().signal)
  const readPending = async (origin = site) =>
    (await answer('wallet_getPendingTransactions', [], origin)) as Pending[]
  opened.push(readPending)
  return {
    address,
    prepare,
    send: async (to: Hex, value: bigint) => {
      const call = { to, value: `0x${value.toString(16)}` }
      const batch = { version: '2.0.0', chainId: '0x7a69', from: address, atomicRequired: true }
      const prepared = await prepare('wallet_sendCalls', [{ ...batch, calls: [call] }])
      return ((await prepared.approve()) as { id: string }).id
    },
    replace: (
      hash: string,
      action: 'speedUp' | 'cancel',
      origin = site,
      more: Partial<ApprovalRequest> = {},
    ) => prepare('wallet_replaceTransaction', [{ hash, action }], origin, more),
    readPending,
    readStatus: async (id: string) =>
      (await answer('wallet_getCallsStatus', [id])) as {
        status: number
        receipts: { transactionHash: string }[]
      },
  }
}

const balanceOf = async (address: Hex) =>
  BigInt((await ask('eth_getBalance', [address, 'latest'])) as string)
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const place = ({ view }: PreparedApproval) => JSON.stringify(view.place)
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error) => error as { code: string; message: string },
  )

/** Stops the blocks, and lets the operation of another account take the bundler's turn. */
beforeEach(async () => {
  await ask('evm_setAutomine', [false])
  const { send, readPending } = await open()
  await send(newAddress(), 1n)
  const [{ hash = '' } = {}] = await readPending()
  const isSent = async () =>
    ((await read('pimlico_getUserOperationStatus', hash)) as { status: string }).status
  await expect.poll(isSent).toBe('submitted')
})
/** The next test begins with an idle bundler. */
afterEach(async () => {
  const done = async () => {
    const pending = await Promise.all(opened.map((read) => read()))
    return pending.flat().length === 0
  }
  await mineUntil(done)
  opened.length = 0
  await ask('evm_setAutomine', [true])
})

/** Makes blocks until `isDone`. */
const mineUntil = (isDone: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await ask('anvil_mine', ['0x1'])
      return isDone()
    })
    .toBe(true)

test('default: a pending operation is sped up with the same calls and nonce, and 15% higher fees', async () => {
  const to = newAddress()
  const { send, replace, readPending, readStatus } = await open()
  const id = await send(to, 7n)
  const [first] = await readPending()
  expect(first).toMatchObject({ earlier: [], isCancelled: false, isOperation: true, batchId: id })
  const before = await readOperation(first?.hash ?? '')

  const prepared = await replace(first?.hash ?? '', 'speedUp')
  expect(prepared.view.title).toMatch(/^Speed up: Send /)
  expect(place(prepared)).toContain(t.feeBefore)
  expect(await prepared.recheck?.()).toBeUndefined()
  const hash = (await prepared.approve()) as string
  const after = await readOperation(hash)
  expect([after.nonce, after.callData]).toEqual([before.nonce, before.callData])
  for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
    expect(BigInt(after[fee]) * 10n).toBeGreaterThanOrEqual((BigInt(before[fee]) * 115n) / 10n)
  expect(await readPending()).toMatchObject([{ hash, earlier: [first?.hash], batchId: id }])
  expect((await readStatus(id)).status).toBe(100)

  await mineUntil(async () => (await readStatus(id)).status === 200)
  expect((await readStatus(id)).receipts).toHaveLength(1)
  expect(await balanceOf(to)).toBe(7n)
  expect(await readPending()).toEqual([])
  const late = await errorOf(replace(hash, 'speedUp'))
  expect(late).toMatchObject({ code: 'SIGNING_REFUSED' })
  expect(late.message).toContain('no longer pending')
})

test('default: a pending operation is canceled, and its batch reports that it was not sent', async () => {
  const to = newAddress()
  const { send, replace, readPending, readStatus } = await open()
  const id = await send(to, 7n)
  const [first] = await readPending()
  const prepared = await replace(first?.hash ?? '', 'cancel')
  expect(prepared.view).toMatchObject({ title: t.titleCancel, action: t.actionCancel })
  expect(JSON.stringify(prepared.view.groups)).toContain('Send ')
  expect(place(prepared)).toContain(t.feeBefore)
  const hash = await prepared.approve()
  expect(await readPending()).toMatchObject([{ hash, isCancelled: true }])
  // A cancellation is never turned into the payment again.
  const again = await replace(hash as string, 'speedUp')
  expect(again.view.title).toBe(t.titleCancel)
  await mineUntil(async () => (await readStatus(id)).status === 400)
  expect(await balanceOf(to)).toBe(0n)
  expect(await readPending()).toEqual([])
})

test('behavior: a page waits for the faster version of a sponsored transaction, without blocking others', async () => {
  const { address, prepare, replace, readPending } = await open({ wei: 0n })
  const { usd } = world.chains.addresses['eip155:31337']
  const args = [newAddress(), 7n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const prepared = await prepare('eth_sendTransaction', [{ from: address, to: usd, data }])
  const wait = (await prepared.approve()) as () => Promise<string>
  const waiting = wait()
  const [first] = await readPending()
  const faster = await replace(first?.hash ?? '', 'speedUp')
  expect(place(faster)).toContain(t.feeSoFar)
  expect(place(faster)).toContain('None: Shop pays it')
  await faster.approve()
  let hash: string | undefined
  void waiting.then((found) => {
    hash = found
  })
  await mineUntil(async () => hash !== undefined)
  expect(await ask('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
})

test('behavior: if the operator does not pay for the cancellation, the account pays, which the card says', async () => {
  const { address, prepare, replace, readPending } = await open()
  const { usd } = world.chains.addresses['eip155:31337']
  const args = [newAddress(), 7n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const prepared = await prepare('eth_sendTransaction', [{ from: address, to: usd, data }])
  const waiting = errorOf(((await prepared.approve()) as () => Promise<string>)())
  const [first] = await readPending()
  const cancellation = await replace(first?.hash ?? '', 'cancel')
  expect(place(cancellation)).toContain('You. Shop does not pay for this transaction')
  await cancellation.approve()
  let code = ''
  void waiting.then((error) => {
    code = error.code
  })
  await mineUntil(async () => code !== '')
  expect(code).toBe('USER_REJECTED')
})

test('another page: it neither sees nor replaces the operation of this page', async () => {
  const { send, replace, readPending } = await open()
  await send(newAddress(), 7n)
  const [first] = await readPending()
  expect(await readPending(other)).toEqual([])
  for (const action of ['speedUp', 'cancel'] as const)
    expect(await errorOf(replace(first?.hash ?? '', action, other))).toMatchObject({
      code: 'SIGNING_REFUSED',
    })
})

test('error: a cancellation that the bundler refuses leaves the operation as it was', async () => {
  const { send, replace, readPending } = await open()
  await send(newAddress(), 7n)
  const [first] = await readPending()
  const read: ApprovalRequest['read'] = async (chain, method, ...more) => {
    if (method !== 'eth_sendUserOperation') return world.read(chain, method, ...more)
    throw new LatchkeyError('RPC_FAILED', { data: { reason: 'on its way' } })
  }
  const refused = await replace(first?.hash ?? '', 'cancel', site, { read })
  expect(await errorOf(refused.approve())).toMatchObject({ code: 'RPC_FAILED' })
  expect(await readPending()).toMatchObject([{ hash: first?.hash, isCancelled: false }])
  expect((await replace(first?.hash ?? '', 'speedUp')).view.title).toMatch(/^Speed up/)
})

test('two tabs: a replacement of a version that another tab has replaced signs nothing', async () => {
  const { send, replace, readPending } = await open()
  await send(newAddress(), 7n)
  const [first] = await readPending()
  const [one, two] = await Promise.all([
    replace(first?.hash ?? '', 'speedUp'),
    replace(first?.hash ?? '', 'cancel'),
  ])
  const hash = await one.approve()
  expect(await errorOf(two.approve())).toMatchObject({ code: 'SIGNING_REFUSED' })
  expect(await readPending()).toMatchObject([{ hash, isCancelled: false }])
})
