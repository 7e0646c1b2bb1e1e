import {
  connect,
  latchkeyOne,
  prepareSwap,
  type SwapParameters,
  swap,
  waitForTransaction,
} from '@latchkey/core/internal'
import { createPoolServer, poolServerUrl } from '@latchkey/core/testing/poolServer'
import { createPublicClient, erc20Abi, type Hex, http } from 'viem'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { coinbaseWallet } from '../../src/coinbase.ts'
import { bob, testApp } from '../testApp.ts'
import { areClosed, clearKeys, keysUrl } from './keysWindows.ts'

const chainId = 'eip155:31337'
const ether: SwapParameters['from'] = { symbol: 'ETH', decimals: 18 }

type Contracts = { wrappedEther: Hex; uniswapV2Router: Hex; swapRouter: Hex; usd: Hex }
type Chains = { urls: Record<string, string>; addresses: Record<string, Contracts> }

beforeEach(clearKeys)
afterEach(async () => {
  await areClosed()
  clearKeys()
})

async function open() {
  const chains = (await (await fetch(inject('chainsUrl'))).json()) as Chains
  const [url = '', addresses] = [chains.urls[chainId], chains.addresses[chainId]]
  if (!addresses) throw new Error('No chain')
  localStorage.setItem('keysOfCoinbase.node', url)
  const config = {
    ...{ apiUrl: poolServerUrl, rpcUrls: chains.urls, networks: [latchkeyOne] as const },
    wallets: { connectors: [coinbaseWallet({ keysUrl })] },
  }
  const app = testApp(config)
  const server = createPoolServer({ chainId, url, addresses })
  // Between two windows, something is always read.
  app.environment.fetch = async (...asked) => {
    await areClosed()
    return server.fetch(...asked)
  }
  await connect(app, { connectorId: 'coinbaseWalletSDK' })
  const client = createPublicClient({ transport: http(url) })
  const read = (functionName: 'balanceOf' | 'allowance') =>
    client.readContract({
      ...{ address: addresses.usd, abi: erc20Abi, functionName },
      args: functionName === 'allowance' ? [bob, addresses.swapRouter] : [bob],
    } as Parameters<typeof client.readContract>[0]) as Promise<bigint>
  return { app, read, usd: { address: addresses.usd, symbol: 'dUSD', decimals: 6 } }
}

test('default: ether for a token, and back by a signed allowance and by a transaction', async () => {
  const { app, read, usd } = await open()
  const run = async (parameters: SwapParameters) => {
    const plan = await prepareSwap(app, parameters)
    const outcome = await swap(app, { plan })
    if (!('hash' in outcome)) throw new Error('It was a batch')
    const { hash } = outcome
    expect(await waitForTransaction(app, { hash, chainId })).toEqual({ status: 'success' })
    return plan
  }
  const before = await read('balanceOf')
  const there = await run({ from: ether, to: usd, amount: '1', slippage: 1 })
  const held = await read('balanceOf')
  expect(held - before).toBe(there.expected.value)
  const back = { from: usd, to: ether, amount: '100.000001', slippage: 1 }
  const signed = await run({ ...back, allowance: 'signature' })
  expect(signed.steps.map(({ kind }) => kind)).toEqual(['permit', 'swap'])
  const sent = await run({ ...back, allowance: 'exact' })
  expect(sent.steps.map(({ kind }) => kind)).toEqual(['approve', 'swap'])
  expect(held - (await read('balanceOf'))).toBe(200_000_002n)
  expect(await read('allowance')).toBe(0n)
  app.destroy()
})
