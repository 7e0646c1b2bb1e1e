import { startChains } from '@latchkey/dev'
import { type Hex, parseEther, parseGwei, toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestRequest, evmChain } from '../../../test/testRequest.ts'
import type { FrameChain } from '../../chains.ts'
import { replacement as t } from '../../locales/replacement.en.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { signEvmTransaction } from '../../wallet/sign/signEvmTransaction.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { createSafeRequestHandler } from '../createSafeRequestHandler.ts'
import { loadPreparation } from '../loadPreparation.ts'
import { createCallsAccess } from './callsAccess.ts'

const chain: FrameChain = { ...evmChain, id: 'eip155:31337', reference: '31337' }
const to: Hex = '0x00000000000000000000000000000000000c0de3'
const origin = 'https://app.example'

let chains: Awaited<ReturnType<typeof startChains>>
beforeAll(async () => {
  chains = await startChains()
})
beforeEach(() => ask('evm_setAutomine', [false]))
afterEach(() => mine())
afterAll(() => chains?.stop())

async function ask(method: string, params: unknown): Promise<unknown> {
  const response = await fetch(chains.urls[chain.id as 'eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result: unknown
    error?: { message: string }
  }
  if (error)
    throw Object.assign(new Error(error.message), { name: 'LatchkeyError', code: 'RPC_FAILED' })
  return result
}

const mine = () => ask('anvil_mine', ['0x1'])

type Pending = { hash: string; batchId?: string; isCancelled: boolean }
type Status = { status: number; receipts: { transactionHash: string }[] }

/** A plain account with one ether, and a page. */
async function open() {
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  const { address } = owner
  await ask('anvil_setBalance', [address, `0x${parseEther('1').toString(16)}`])
  const calls = createCallsAccess(createMemoryStore(), { origin, account: address })
  const keys = {
    do: async (_: string, { transaction }: { transaction: never }) =>
      signEvmTransaction(transaction, Uint8Array.from(toBytes(key))),
  } as unknown as ApprovalRequest['keys']
  const read: ApprovalRequest['read'] = (_, method, params) => ask(method, params)
  const accounts = { eip155: address, solana: '' }
  const prepare = async (method: string, params: unknown) => {
    const asked = { method, params, read, keys, origin, chain, accounts, calls }
    const request = createTestRequest({ ...asked, now: Date.now })
    return (await loadPreparation(request))(request)
  }
  const answer = (method: string, params: unknown) =>
    createSafeRequestHandler({
      read,
      account: async () => address,
      chains: [chain],
      access: () => calls,
      session: { call: () => Promise.reject(new Error('The server is not asked')) },
    })({ method, params, chain }, new AbortController().signal)
  const send = async (id: string, values: readonly string[]) => {
    const batch = { version: '2.0.0', id, from: address, chainId: '0x7a69', atomicRequired: false }
    const list = values.map((value) => ({ to, value }))
    const prepared = await prepare('wallet_sendCalls', [{ ...batch, calls: list }])
    expect(await prepared.approve()).toEqual({ id })
  }
  const pending = () => answer('wallet_getPendingTransactions', []) as Promise<Pending[]>
  /** The transaction of a batch that waits, once it is there and its predecessor is not. */
  const waiting = async (batchId: string, after?: string) => {
    await expect
      .poll(async () => (await pending()).filter(({ hash }) => hash !== after))
      .toMatchObject([{ batchId }])
    return String((await pending())[0]?.hash)
  }
  const replace = async (hash: string, action: 'speedUp' | 'cancel') => {
    const prepared = await prepare('wallet_replaceTransaction', [{ hash, action }])
    const texts = prepared.view.warnings.map(({ text }) => text)
    return { texts, hash: String(await prepared.approve()) }
  }
  const status = (id: string) => answer('wallet_getCallsStatus', [id]) as Promise<Status>
  const count = async () => Number(await ask('eth_getTransactionCount', [address, 'pending']))
  return { owner, send, waiting, pending, replace, status, count }
}

const toHashes = ({ receipts }: Status) => receipts.map(({ transactionHash }) => transactionHash)

test('default: a batch continues after a transaction is sped up, with the newer transaction’s receipt', async () => {
  const { send, waiting, replace, status, count } = await open()
  await send('fast', ['0x1', '0x2'])
  const first = await waiting('fast')
  expect(await status('fast')).toMatchObject({ status: 100, receipts: [] })
  const { hash: faster, texts } = await replace(first, 'speedUp')
  expect(texts).not.toContain(t.endsBatch)
  expect(await waiting('fast')).toBe(faster)
  await mine()
  const second = await waiting('fast', faster)
  expect(second).not.toBe(first)
  expect(toHashes(await status('fast'))).toEqual([faster])
  await mine()
  await expect.poll(() => status('fast')).toMatchObject({ status: 200 })
  expect(toHashes(await status('fast'))).toEqual([faster, second])
  expect(await count()).toBe(2)
})

test('default: a canceled transaction ends its batch: partly done, and the later calls are not sent', async () => {
  const { send, waiting, pending, replace, status, count } = await open()
  await send('part', ['0x1', '0x2', '0x3'])
  const first = await waiting('part')
  await mine()
  const second = await waiting('part', first)
  const { texts, hash } = await replace(second, 'cancel')
  expect(texts).toContain(t.endsBatch)
  // Its fee can still go up.
  await replace(hash, 'speedUp')
  expect(await pending()).toMatchObject([{ batchId: 'part', isCancelled: true }])
  expect(await status('part')).toMatchObject({ status: 100 })
  await mine()
  await expect.poll(() => status('part')).toMatchObject({ status: 600 })
  expect(toHashes(await status('part'))).toEqual([first])
  expect(await count()).toBe(2)
})

test('behavior: of a batch whose first transaction is canceled, nothing was done', async () => {
  const { send, waiting, replace, status, count } = await open()
  await send('none', ['0x1', '0x2'])
  await replace(await waiting('none'), 'cancel')
  await mine()
  await expect.poll(() => status('none')).toEqual(expect.objectContaining({ status: 400 }))
  expect(await status('none')).toMatchObject({ receipts: [] })
  expect(await count()).toBe(1)
})

test('param: a batch of one call can be sped up and canceled too', async () => {
  const { send, waiting, replace, status } = await open()
  await send('one', ['0x1'])
  const { hash } = await replace(await waiting('one'), 'speedUp')
  await mine()
  expect(await status('one')).toMatchObject({ status: 200 })
  expect(toHashes(await status('one'))).toEqual([hash])
  await send('two', ['0x1'])
  await replace(await waiting('two'), 'cancel')
  await mine()
  expect(await status('two')).toMatchObject({ status: 400, receipts: [] })
})

test('error: a batch ends if another client of the account takes the nonce', async () => {
  const { owner, send, waiting, status, count } = await open()
  await send('lost', ['0x1', '0x2'])
  await waiting('lost')
  const raw = await owner.signTransaction({
    ...{ chainId: 31_337, nonce: 0, to, value: 9n, gas: 21_000n },
    maxFeePerGas: parseGwei('900'),
    maxPriorityFeePerGas: parseGwei('90'),
  })
  await ask('eth_sendRawTransaction', [raw])
  await mine()
  await expect.poll(() => status('lost')).toMatchObject({ status: 400, receipts: [] })
  expect(await count()).toBe(1)
})

test('behavior: a payment that is approved while a batch continues gets another nonce', async () => {
  const { send, waiting, pending, status, count } = await open()
  await send('first', ['0x1', '0x2'])
  const one = await waiting('first')
  await send('other', ['0x5'])
  expect(await pending()).toMatchObject([{ hash: one }, { batchId: 'other' }])
  await mine()
  await expect.poll(count).toBe(3)
  await mine()
  for (const id of ['first', 'other'])
    await expect.poll(() => status(id)).toMatchObject({ status: 200 })
})
