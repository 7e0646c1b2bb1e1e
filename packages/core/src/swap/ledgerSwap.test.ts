import { type Chains, startChains } from '@latchkey/dev'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { device } from '../../test/ledgerExchanges.ts'
import { createPoolServer, poolServerUrl } from '../../test/poolServer.ts'
import { rpc } from '../../test/rpc.ts'
import { createSigningDevice } from '../../test/signingDevice.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { closeModal } from '../modal/navigate.ts'
import { ledger } from '../namespaces/eip155/connector/ledger/ledger.ts'
import { waitForTransaction } from '../send/waitForTransaction.ts'
import {
  isSignatureRefused,
  prepareReviewedSwap,
  prepareSwap,
  type SwapParameters,
} from './prepareSwap.ts'
import { swap } from './swap.ts'

const chainId = 'eip155:31337'
const ether: SwapParameters['from'] = { symbol: 'ETH', decimals: 18 }

let chains: Chains
let url: string
let usd: SwapParameters['from'] & { address: `0x${string}` }
let app: ReturnType<typeof openApp>
beforeAll(async () => {
  chains = await startChains()
  url = chains.urls[chainId]
  usd = { address: chains.addresses[chainId].usd, symbol: 'dUSD', decimals: 6 }
})
afterAll(() => chains?.stop())
afterEach(() => app.destroy())

async function open(device: ReturnType<typeof createSigningDevice>) {
  const addresses = chains.addresses[chainId]
  const { openTransport } = device
  const { fetch } = createPoolServer({ chainId, url, addresses })
  app = openApp(
    { ...createBrowser().openTab(), fetch },
    {
      rpcUrls: chains.urls,
      apiUrl: poolServerUrl,
      wallets: { connectors: [ledger({ openTransport })] },
    },
  )
  await connect(app, { connectorId: 'ledger' })
}

const toUsd = (): SwapParameters => ({ from: ether, to: usd, amount: '1', slippage: 1 })
const fromUsd = (allowance: SwapParameters['allowance']): SwapParameters => ({
  ...{ from: usd, to: ether, amount: '100.000001', slippage: 1 },
  ...(allowance && { allowance }),
})

const client = () => createPublicClient({ transport: http(url) })
const read = (functionName: 'balanceOf' | 'allowance') =>
  client().readContract({
    ...{ address: usd.address, abi: erc20Abi, functionName },
    args:
      functionName === 'allowance'
        ? [device.address, chains.addresses[chainId].swapRouter]
        : [device.address],
  } as Parameters<ReturnType<typeof client>['readContract']>[0]) as Promise<bigint>

async function finish(outcome: Awaited<ReturnType<typeof swap>>) {
  if (!('hash' in outcome)) throw new Error('It was a batch')
  const { hash } = outcome
  expect(await waitForTransaction(app, { hash, chainId })).toEqual({ status: 'success' })
  return client().getTransaction({ hash: hash as `0x${string}` })
}

test('default: ether for a token, and back with a signed allowance, each as reviewed', async () => {
  const signing = createSigningDevice()
  await open(signing)
  const before = await read('balanceOf')
  const there = await prepareReviewedSwap(app, toUsd())
  expect(await finish(await swap(app, { plan: there }))).toMatchObject({
    ...{ from: device.address.toLowerCase(), value: 10n ** 18n },
  })
  const held = await read('balanceOf')
  expect(held - before).toBe(there.expected.value)

  const back = await prepareReviewedSwap(app, fromUsd('signature'))
  expect(back.steps.map(({ kind }) => kind)).toEqual(['permit', 'swap'])
  const steps: number[] = []
  await finish(await swap(app, { plan: back, onStep: (step) => steps.push(step) }))
  expect(steps).toEqual([0, 1])
  expect(held - (await read('balanceOf'))).toBe(100_000_001n)
  expect(await read('allowance')).toBe(0n)
  // The two swaps and the typed data, and no transaction for the allowance.
  expect(signing.signed).toHaveLength(3)
  expect(app.store.getState().modal.open).toBe(false)
})

test('error: an app that knows no typed data: nothing is sent, and an approval does the same', async () => {
  const signing = createSigningDevice({ knowsTypedData: false })
  await open(signing)
  await finish(await swap(app, { plan: await prepareReviewedSwap(app, toUsd()) }))
  const nonce = await rpc(url, 'eth_getTransactionCount', [device.address, 'latest'])
  const plan = await prepareReviewedSwap(app, fromUsd('signature'))
  const error = await swap(app, { plan }).catch((cause: unknown) => cause)
  expect(isSignatureRefused(error)).toBe(true)
  expect(await rpc(url, 'eth_getTransactionCount', [device.address, 'latest'])).toBe(nonce)

  const held = await read('balanceOf')
  const exact = await prepareReviewedSwap(app, fromUsd('exact'))
  expect(exact.steps.map(({ kind }) => kind)).toEqual(['approve', 'swap'])
  await finish(await swap(app, { plan: exact }))
  expect(held - (await read('balanceOf'))).toBe(100_000_001n)
  expect(await read('allowance')).toBe(0n)
  expect(signing.signed).toHaveLength(3)
})

test('error: a person who has not allowed blind signing reads what to do, and nothing is sent', async () => {
  const signing = createSigningDevice({ signsBlindly: false })
  await open(signing)
  for (const parameters of [toUsd(), fromUsd('exact'), fromUsd('signature')]) {
    const plan = await prepareReviewedSwap(app, parameters)
    await expect(swap(app, { plan })).rejects.toThrow(/Allow blind signing/)
  }
  expect(signing.signed).toEqual([])
})

test('behavior: a swap that a page has prepared is shown before the device prompts', async () => {
  const signing = createSigningDevice()
  await open(signing)
  const plan = await prepareSwap(app, toUsd())
  const swapping = expect(swap(app, { plan })).rejects.toMatchObject({ code: 'USER_REJECTED' })
  await expect.poll(() => app.store.getState().modal.history.at(-1)?.name).toBe('ReviewTransaction')
  closeModal(app)
  await swapping
  expect(signing.signed).toEqual([])
})
