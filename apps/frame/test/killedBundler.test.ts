import { type DevChainId, refuseSponsorship } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { createWalletClient, custom, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  begin,
  type FrameStack,
  holdToApprove,
  inside,
  logIn,
  readOn,
  settle,
  startFrame,
} from './startFrame.ts'

const receiver: Hex = '0x00000000000000000000000000000000000c0de7'
const ether = 10n ** 18n

let frame: FrameStack
let context: BrowserContext
let address: Hex

const chains = ['eip155:31337', 'eip155:31338'] as const

beforeAll(async () => {
  frame = await startFrame()
  context = await frame.newContext()
  const page = await frame.embed(context)
  await logIn(frame, page, 'batch@killed.example')
  const user = (await ask(page, 'APP_GET_USER')).result
  expect(user).toMatchObject({ smartAccountDeployed: false, preferredAccountType: 'smartAccount' })
  address = (user as { address: Hex }).address
  // The networks that the operator's configuration enables, and whether the account delegates
  // there.
  expect((await ask(page, 'APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS')).result).toEqual({
    smartAccountEnabledNetworks: [31337, 31338],
  })
  expect((await ask(page, 'APP_INIT_SMART_ACCOUNT')).result).toEqual({ address, isDeployed: false })
  await page.close()
})
afterAll(async () => {
  await frame?.stop()
})

async function rpc<Result>(
  id: DevChainId,
  method: string,
  params: unknown[] = [],
): Promise<Result> {
  const response = await fetch(frame.stack.urls.rpc[id], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: Result }).result
}

/** How many transactions wait for a block, on each chain. */
const countWaiting = () =>
  Promise.all(
    chains.map(async (id) => Number((await rpc<{ pending: string }>(id, 'txpool_status')).pending)),
  )

const readBalance = async (id: DevChainId, of: string) =>
  BigInt(await rpc<string>(id, 'eth_getBalance', [of, 'latest']))

const toNumber = (id: DevChainId) => Number(id.split(':')[1])

/** An unchanged viem client over the page's requests to the frame. */
const openClient = (page: Page, id: DevChainId) =>
  createWalletClient({
    account: address,
    chain: { ...foundry, id: toNumber(id) },
    transport: custom({
      async request(asked) {
        const answer = await ask(page, 'APP_RPC_REQUEST', { ...asked, chainId: toNumber(id) })
        if (answer.code) throw new Error(`${answer.code}: ${answer.message}`)
        return answer.result
      },
    }),
  })

const readBalances = (of: string) => Promise.all(chains.map((id) => readBalance(id, of)))

test.each([
  ['operator', 'None: Latchkey Development pays it', chains[0]],
  ['account', 'Network fee, up to', chains[1]],
] as const)(
  'behavior: batches paid by the %s are included once, even if the bundler is killed or a node forgets them',
  async (payer, fee, forgetful) => {
    const page = await frame.embed(context)
    const askNode = (id: DevChainId, method: string, params: unknown) => ({
      ...{ method, params, chainId: toNumber(id) },
    })
    const nameBatch = (id: DevChainId) => `${payer}-${id}`
    const readStatuses = (on = page) =>
      Promise.all(
        chains.map((id) =>
          ask(on, 'APP_RPC_REQUEST', askNode(id, 'wallet_getCallsStatus', [nameBatch(id)])),
        ),
      )
    const onEach = (value: unknown) => chains.map(() => value)
    const before = await readBalances(receiver)
    for (const id of chains) {
      if (payer === 'account') await refuseSponsorship(context, id)
      await rpc(id, 'anvil_setBalance', [address, `0x${ether.toString(16)}`])
      // Blocks are made when the test says so.
      await rpc(id, 'evm_setAutomine', [false])
      const sent = openClient(page, id).sendCalls({
        id: nameBatch(id),
        calls: [1n, 2n].map((value) => ({ to: receiver, value })),
        forceAtomic: true,
      })
      await readOn(page, '.asked')
      await inside(page).getByText(fee).waitFor()
      await holdToApprove(page)
      expect(await sent).toMatchObject({ id: nameBatch(id) })
    }
    await expect.poll(countWaiting).toEqual(onEach(1))
    expect(await readStatuses()).toMatchObject(onEach({ result: { status: 100 } }))

    const startAgain = await frame.stack.killServer()
    for (const { code } of await readStatuses()) expect(code).toBeDefined()
    await rpc(forgetful, 'anvil_dropAllTransactions')
    await startAgain()
    await expect.poll(countWaiting).toEqual(onEach(1))
    for (const id of chains) {
      await rpc(id, 'evm_setAutomine', [true])
      await rpc(id, 'evm_mine')
    }
    for (const id of chains) {
      const client = openClient(page, id)
      expect(
        await client.waitForCallsStatus({ id: nameBatch(id), pollingInterval: 100 }),
      ).toMatchObject({
        status: 'success',
        statusCode: 200,
        atomic: true,
        chainId: toNumber(id),
        receipts: [{ status: 'success' }],
      })
      expect(await client.getCapabilities({ chainId: toNumber(id) })).toMatchObject({
        atomic: { status: 'supported' },
        sponsorship: { supported: true },
      })
    }
    const after = before.map((balance) => balance + 3n)
    expect(await readBalances(receiver)).toEqual(after)
    // The three wei that were sent and, if the operator does not pay it, the fee.
    for (const spent of (await readBalances(address)).map((balance) => ether - balance)) {
      if (payer === 'operator') expect(spent).toBe(3n)
      else expect(spent).toBeGreaterThan(3n)
    }

    // The account is known to delegate now, and on both chains.
    for (const id of chains)
      expect((await ask(page, 'APP_GET_USER', { chainId: toNumber(id) })).result).toMatchObject({
        smartAccountDeployed: true,
        preferredAccountType: 'smartAccount',
      })
    expect((await ask(page, 'APP_INIT_SMART_ACCOUNT')).result).toEqual({
      address,
      isDeployed: true,
    })

    // The status is of the browser, and survives the page too.
    await page.close()
    const later = await frame.embed(context)
    expect((await readStatuses(later)).map(({ result }) => result)).toMatchObject(
      chains.map((id) => ({ id: nameBatch(id), status: 200, receipts: [{ status: '0x1' }] })),
    )
    // Nothing is sent a second time.
    for (const id of chains) await rpc(id, 'evm_mine')
    expect([await countWaiting(), await readBalances(receiver)]).toEqual([onEach(0), after])
    await later.close()
  },
)

test('behavior: the settings pause the smart account, use it again, and turn it off on one network', async () => {
  const page = await frame.embed(context)
  const button = (name: string) => inside(page).getByRole('button', { name, exact: true })
  const readCodes = () =>
    Promise.all(chains.map((id) => rpc<string>(id, 'eth_getCode', [address, 'latest'])))
  // As the tests before this one leave it.
  const [first, second] = await readCodes()
  expect([first, second]).toEqual(Array(2).fill(expect.stringMatching(/^0xef0100/)))
  const opened = await begin(page, 'APP_OPEN', { page: 'smart-account' })
  const press = async (name: string) => {
    await inside(page).locator('.button[aria-disabled="false"]', { hasText: name }).click()
  }
  await press('Pause smart account')
  await inside(page).getByText('Your smart account is not in use.').waitFor()
  expect((await ask(page, 'APP_GET_USER')).result).toMatchObject({ preferredAccountType: 'eoa' })
  await press('Use the smart account')
  await inside(page).getByText('Your smart account sends batches').waitFor()
  expect((await ask(page, 'APP_GET_USER')).result).toMatchObject({
    preferredAccountType: 'smartAccount',
  })
  await press('Remove it from Latchkey One')
  await button('Remove it from Latchkey One').waitFor({ state: 'detached' })
  expect(await button('Remove it from Latchkey Two').count()).toBe(1)
  expect(await readCodes()).toEqual(['0x', second])
  await button('Close').click()
  await settle(page, opened)
  await page.close()
})
