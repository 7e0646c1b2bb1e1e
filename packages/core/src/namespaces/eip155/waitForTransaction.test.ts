import { type Chains, startChains } from '@latchkey/dev'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { alice, bob } from '../../../test/fakeWallet.ts'
import { rpc } from '../../../test/rpc.ts'
import type { Batch } from '../batchCalls.ts'
import { waitForEvmTransaction } from './waitForTransaction.ts'

const gwei = (count: number) => `0x${(BigInt(count) * 1_000_000_000n).toString(16)}`

let chains: Chains
let url: string
beforeAll(async () => {
  chains = await startChains()
  url = chains.urls['eip155:31337']
  await rpc(url, 'evm_setAutomine', [false])
})
afterAll(() => chains?.stop())
beforeEach(() => rpc(url, 'anvil_mine', ['0x1']))

const node = (method: string, params?: unknown) => rpc(url, method, (params ?? []) as unknown[])
const mine = (blocks = '0x1') => rpc(url, 'anvil_mine', [blocks])
const getNonce = () => rpc(url, 'eth_getTransactionCount', [alice, 'latest']) as Promise<string>

/** Sends from alice: 1 wei to bob, unless set. */
const submit = (fee: number, more: object = {}) =>
  rpc(url, 'eth_sendTransaction', [
    { from: alice, to: bob, value: '0x1', gas: '0x30000', ...fees(fee), ...more },
  ]) as Promise<string>

const fees = (fee: number) => ({ maxFeePerGas: gwei(fee), maxPriorityFeePerGas: gwei(fee) })

/** Waits for a transaction; `steps` happen in the place of the pauses. */
async function wait(
  hash: string,
  steps: (() => Promise<unknown>)[],
  more: Partial<Parameters<typeof waitForEvmTransaction>[0]> = {},
) {
  const pauses: number[] = []
  const outcome = await waitForEvmTransaction({
    node,
    hash,
    address: alice,
    signal: new AbortController().signal,
    sleep: async (ms) => {
      pauses.push(ms)
      await steps.shift()?.()
    },
    ...more,
  })
  return { outcome, pauses }
}

test('default: the transaction that was sent', async () => {
  const hash = await submit(50)
  const { outcome } = await wait(hash, [async () => {}, mine])
  expect(outcome).toEqual({ status: 'success' })
})

test('behavior: a transaction that is sped up is followed to its block', async () => {
  const nonce = await getNonce()
  const first = await submit(50, { nonce })
  let second = ''
  const { outcome } = await wait(first, [
    async () => {
      second = await submit(90, { nonce })
    },
    () => mine('0x8'),
  ])
  expect(outcome).toEqual({ status: 'success', hash: second, isSpedUp: true })
})

test('behavior: a call that is sped up may be reverted', async () => {
  const nonce = await getNonce()
  const to = chains.addresses['eip155:31337'].usd
  // More than alice has.
  const data = `0xa9059cbb${bob.slice(2).padStart(64, '0')}${'f'.repeat(64)}`
  const call = { nonce, to, data, value: '0x0' }
  const first = await submit(50, call)
  let second = ''
  const { outcome } = await wait(first, [
    async () => {
      second = await submit(90, { ...call, data: data.toUpperCase().replace('0X', '0x') })
      await mine()
    },
  ])
  expect(outcome).toEqual({ status: 'reverted', hash: second, isSpedUp: true })
})

test.each([
  ['cancelled', { to: alice, value: '0x0' }],
  ['replaced', { to: alice, value: '0x2' }],
  ['replaced', { value: '0x2' }],
  ['replaced', { data: '0x01' }],
])('behavior: another transaction with its nonce has it %s: %j', async (status, other) => {
  const nonce = await getNonce()
  const first = await submit(50, { nonce })
  let second = ''
  const { outcome } = await wait(first, [
    async () => {
      second = await submit(90, { nonce, ...other })
      await mine()
      await submit(50)
      await mine('0x20')
    },
  ])
  expect(outcome).toEqual({ status, hash: second })
})

test('behavior: a node that keeps no earlier states is read block by block', async () => {
  const nonce = await getNonce()
  const first = await submit(50, { nonce })
  const { outcome } = await wait(
    first,
    [
      async () => {
        await submit(90, { nonce, to: alice, value: '0x0' })
        await mine('0x10')
      },
    ],
    {
      node: async (method, params) => {
        const [, block] = (params ?? []) as unknown[]
        if (method === 'eth_getTransactionCount' && block !== 'latest')
          throw new Error('missing trie node')
        return node(method, params)
      },
    },
  )
  expect(outcome).toMatchObject({ status: 'cancelled' })
})

test('behavior: a nonce that is taken without a trace means replaced, and a late receipt still counts', async () => {
  const nonce = await getNonce()
  const first = await submit(50, { nonce })
  let hidden = 12
  const late = await wait(first, [mine], {
    node: async (method, params) => {
      if (method !== 'eth_getTransactionReceipt') return node(method, params)
      hidden -= 1
      return hidden > 0 ? null : node(method, params)
    },
  })
  expect(late.outcome).toEqual({ status: 'success' })
  const next = await submit(50)
  const gone = await wait(next, [() => mine('0x2')], {
    node: async (method, params) => {
      if (method === 'eth_getTransactionReceipt') return null
      if (method === 'eth_getBlockByNumber') return null
      return node(method, params)
    },
  })
  expect(gone.outcome).toEqual({ status: 'replaced' })
})

test('behavior: pauses become longer, and waiting ends after half an hour', async () => {
  const { outcome, pauses } = await wait(`0x${'12'.repeat(32)}`, [])
  expect(outcome).toEqual({ status: 'unknown' })
  expect(pauses.slice(0, 3)).toEqual([1_000, 1_000, 1_000])
  expect(pauses.at(-1)).toBe(15_000)
  const total = pauses.reduce((sum, ms) => sum + ms, 0)
  expect(total).toBeGreaterThanOrEqual(1_800_000)
  expect(total).toBeLessThan(1_830_000)
})

test('behavior: the transaction of a bundler is not compared with the account', async () => {
  const nonce = await getNonce()
  const first = await submit(50, { nonce })
  const replace = async () => {
    await submit(90, { nonce, to: alice, value: '0x0' })
    await mine()
  }
  const { outcome } = await wait(first, [replace], { address: bob })
  expect(outcome).toEqual({ status: 'unknown' })
})

test('behavior: the id of a contract account’s proposal leads to its transaction', async () => {
  const safe = `0x${'5a'.repeat(20)}`
  await rpc(url, 'anvil_setCode', [safe, '0x00'])
  const id = `0x${'77'.repeat(32)}`
  const hash = await submit(50)
  await mine()
  const pending = { status: 'pending', isAtomic: true, hashes: [] } as const
  let batch: Batch | undefined = pending
  let asked = 0
  const readBatch = async () => {
    asked += 1
    return batch
  }
  const confirm = async () => {
    batch = { status: 'confirmed', isAtomic: true, hashes: [hash] }
  }
  const nothing = async () => {}
  const { outcome } = await wait(id, [nothing, nothing, confirm], { address: safe, readBatch })
  expect(outcome).toEqual({ status: 'success', hash })
  expect(asked).toBe(4)
  batch = { status: 'failed', isAtomic: true, hashes: [] }
  expect((await wait(id, [], { address: safe, readBatch })).outcome).toEqual({ status: 'reverted' })
  // An account with a key is not asked about, also if it delegates to a contract.
  asked = 0
  await rpc(url, 'anvil_setCode', [safe, `0xef0100${'11'.repeat(20)}`])
  for (const address of [bob, safe])
    expect((await wait(id, [], { address, readBatch })).outcome).toEqual({ status: 'unknown' })
  expect(asked).toBe(0)
})
