import { makeDatabase } from '@latchkey/dev'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  begin,
  type FrameStack,
  holdToApprove,
  logIn,
  readOn,
  settle,
  startFrame,
} from './startFrame.ts'

const receiver = '0x00000000000000000000000000000000000c0de7'

let frame: FrameStack
let context: BrowserContext
let address: string

beforeAll(async () => {
  // A database of its own, which outlives the server.
  frame = await startFrame([], { DATABASE_URL: await makeDatabase() })
  context = await frame.newContext()
  const page = await frame.embed(context)
  await logIn(frame, page, 'batch@killed.example')
  address = ((await ask(page, 'APP_GET_USER')).result as { address: string }).address
  await page.close()
  await rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
})
afterAll(async () => {
  await rpc('evm_setAutomine', [true])
  await frame?.stop()
})

async function rpc<Result>(method: string, params: unknown[] = []): Promise<Result> {
  const response = await fetch(frame.stack.urls.rpc['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: Result }).result
}

const countWaiting = async () => Number((await rpc<{ pending: string }>('txpool_status')).pending)

const received = async () => BigInt(await rpc<string>('eth_getBalance', [receiver, 'latest']))

test.each([
  ['kept', async () => {}],
  ['lost', () => rpc('anvil_dropAllTransactions')],
])(
  'behavior: a batch whose bundler is killed before a block has it is included once, its bundle %s by the node',
  async (id, forget) => {
    const page = await frame.embed(context)
    const askNode = (method: string, params: unknown) => ({ method, params, chainId: 31337 })
    const readStatus = (on = page) =>
      ask(on, 'APP_RPC_REQUEST', askNode('wallet_getCallsStatus', [id]))
    const before = await received()
    // Blocks are made when the test says so.
    await rpc('evm_setAutomine', [false])
    const calls = ['0x1', '0x2'].map((value) => ({ to: receiver, value }))
    const batch = { version: '2.0.0', id, from: address, chainId: '0x7a69', calls }
    const asked = await begin(
      page,
      'APP_RPC_REQUEST',
      askNode('wallet_sendCalls', [{ ...batch, atomicRequired: true }]),
    )
    await readOn(page, '.asked')
    await holdToApprove(page)
    expect(await settle(page, asked)).toMatchObject({ result: { id } })
    await expect.poll(countWaiting).toBe(1)
    expect(await readStatus()).toMatchObject({ result: { status: 100 } })

    const startAgain = await frame.stack.killServer()
    expect((await readStatus()).code).toBeDefined()
    await forget()
    await startAgain()
    await expect.poll(countWaiting).toBe(1)
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    await expect.poll(readStatus).toMatchObject({ result: { status: 200, atomic: true } })
    expect(await received()).toBe(before + 3n)

    // The status is of the browser, and survives the page too.
    await page.close()
    const later = await frame.embed(context)
    const { result } = await readStatus(later)
    expect(result).toMatchObject({ id, status: 200, receipts: [{ status: '0x1' }] })
    // Nothing is sent a second time.
    await rpc('evm_mine')
    expect([await countWaiting(), await received()]).toEqual([0, before + 3n])
    await later.close()
  },
)
