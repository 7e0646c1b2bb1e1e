import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains, waitForReceipt } from '@latchkey/dev'
import { simulateCallsRoute } from '@latchkey/wire'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  toBytes,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import * as z from 'zod/mini'
import { readResponse } from '../src/auth/dpopFetch.ts'
import type { FrameChain } from '../src/chains.ts'
import { createReadChain } from '../src/readChain.ts'
import type { ApprovalRequest } from '../src/requests/approvalRequest.ts'
import { signEvmTransaction } from '../src/wallet/sign/signEvmTransaction.ts'
import {
  signEnding,
  signRevocation,
  signUserOperation,
} from '../src/wallet/sign/signUserOperation.ts'
import { makeDir, startVault } from './startVault.ts'
import { createTestRequest } from './testRequest.ts'

const chainId = 'eip155:31337'

/**
 * Starts a local chain and a server with its bundler and a sponsor, with the requests of a frame.
 * `more`: additional nodes.
 */
export async function startSmartChain(
  more: (url: string) => Promise<readonly string[]> = async () => [],
) {
  const chains = await startChains()
  const { paymaster, usd } = chains.addresses[chainId]
  const chainsFile = join(await makeDir(), 'chains.json')
  const limits = {
    weiPerAccountAndDay: String(parseEther('1')),
    weiPerDay: String(parseEther('5')),
  }
  const sponsorship = { paymaster, name: 'Shop', contracts: [usd], ...limits }
  const network = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[chainId], ...(await more(chains.urls[chainId]))],
    smartAccounts: { bundler: 'own', sponsorship, permissions: true },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [chainId]: network } }))
  const [sponsorKey = '', bundlerKey = ''] = [7, 8].map((at) => chains.accounts[at]?.privateKey)
  const server = await startVault({
    env: { CHAINS_FILE: chainsFile, BUNDLER_KEY: bundlerKey, SPONSOR_KEY: sponsorKey },
  })
  const chain: FrameChain = {
    id: chainId,
    namespace: 'eip155',
    reference: '31337',
    name: 'One',
    symbol: 'ETH',
    decimals: 18,
    smartAccounts: { sponsor: { name: 'Shop', paymaster } },
  }
  return {
    chains,
    chain,
    server,
    appUrl: server.appUrl,
    read: createRead(server.url),
    fetchSimulation: createFetchSimulation(server.url),
    post: createPost(server.url),
    fund: (address: string, wei: bigint) =>
      setUp(chains, 'anvil_setBalance', [address, `0x${wei.toString(16)}`]),
    setCode: (address: string, code: string) => setUp(chains, 'anvil_setCode', [address, code]),
    giveUsd: (to: Hex, amount: bigint) => giveUsd(chains, { to, amount }),
    async stop() {
      await server.remove()
      await chains.stop()
    },
  }
}

/** The frame's own reader, from its own origin. */
const createRead = (frameUrl: string): ApprovalRequest['read'] =>
  createReadChain((path, init) =>
    fetch(`${frameUrl}${path}`, { ...init, headers: { ...init?.headers, origin: frameUrl } }),
  )

/** The simulation results of the server's nodes. */
const createFetchSimulation =
  (frameUrl: string): ApprovalRequest['fetchSimulation'] =>
  async (given) => {
    const response = await fetch(`${frameUrl}${simulateCallsRoute.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: frameUrl },
      body: JSON.stringify(given),
    })
    return simulateCallsRoute.result.parse(await response.json())
  }

/** A route of the frame's own server. */
const createPost =
  (frameUrl: string): ApprovalRequest['post'] =>
  async (route, body) => {
    const response = await fetch(`${frameUrl}${route.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: frameUrl },
      body: JSON.stringify(body),
    })
    return z.parse(route.result, await readResponse(response)) as never
  }

async function setUp(chains: Chains, method: string, params: unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  await fetch(chains.urls[chainId], { method: 'POST', headers, body })
}

/** From the account that has all of it. */
async function giveUsd(
  chains: Chains,
  { to, amount }: { readonly to: Hex; readonly amount: bigint },
): Promise<void> {
  const transport = http(chains.urls[chainId])
  const owner = createWalletClient({
    account: privateKeyToAccount(chains.accounts[0]?.privateKey as Hex),
    chain: foundry,
    transport,
  })
  const hash = await owner.writeContract({
    address: chains.addresses[chainId].usd,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, amount],
  })
  await waitForReceipt(createPublicClient({ chain: foundry, transport }), hash)
}

type World = Awaited<ReturnType<typeof startSmartChain>>

/** A request in the name of the key's account, which signs as the key worker does. */
export function createOwnRequest(
  { chain, read, post }: Pick<World, 'chain' | 'read'> & Partial<Pick<World, 'post'>>,
  { key, ...given }: { key: `0x${string}` } & Partial<ApprovalRequest>,
): ApprovalRequest {
  const owner = privateKeyToAccount(key).address
  const secret = { key: Uint8Array.from(toBytes(key)), owner }
  const work: Record<string, (asked: never) => unknown> = {
    signUserOperation: (asked) => signUserOperation(asked, secret),
    signRevocation: ({ transaction }) => signRevocation(transaction, secret),
    signEnding: (asked) => ({ authorization: signEnding(asked, secret.key) }),
    signEvmTransaction: ({ transaction }) => signEvmTransaction(transaction, secret.key),
  }
  const keys = {
    do: async (name: string, asked: never) =>
      name === 'getStatus'
        ? { status: 'ready', addresses: { eip155: owner, solana: '' } }
        : work[name]?.(asked),
  } as unknown as ApprovalRequest['keys']
  return createTestRequest({
    method: 'wallet_sendCalls',
    params: [],
    chain,
    read,
    ...(post && { post }),
    keys,
    accounts: { eip155: owner, solana: '' },
    ...given,
  })
}
