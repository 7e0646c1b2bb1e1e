import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { parseEther, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { FrameChain } from '../src/chains.ts'
import { createReadChain } from '../src/readChain.ts'
import type { ApprovalRequest } from '../src/requests/approvalRequest.ts'
import { signEvmTransaction } from '../src/wallet/sign/signEvmTransaction.ts'
import { signRevocation, signUserOperation } from '../src/wallet/sign/signUserOperation.ts'
import { makeDir, startVault } from './startVault.ts'
import { createTestRequest } from './testRequest.ts'

const chainId = 'eip155:31337'

/** A local chain and a server with its bundler and a sponsor, and what a frame asks them. */
export async function startSmartChain() {
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
    upstreams: [chains.urls[chainId]],
    smartAccounts: { bundler: 'own', sponsorship },
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
    read: createRead(server.url),
    fund: (address: string, wei: bigint) => fund(chains, address, wei),
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

/** Gives an account so much. */
async function fund(chains: Chains, address: string, wei: bigint): Promise<void> {
  const params = [address, `0x${wei.toString(16)}`]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params })
  const headers = { 'content-type': 'application/json' }
  await fetch(chains.urls[chainId], { method: 'POST', headers, body })
}

type World = Awaited<ReturnType<typeof startSmartChain>>

/** A request in the name of the key's account, which signs as the key worker does. */
export function createOwnRequest(
  { chain, read }: Pick<World, 'chain' | 'read'>,
  { key, ...given }: { key: `0x${string}` } & Partial<ApprovalRequest>,
): ApprovalRequest {
  const owner = privateKeyToAccount(key).address
  const secret = { key: Uint8Array.from(toBytes(key)), owner }
  const work: Record<string, (asked: never) => unknown> = {
    signUserOperation: (asked) => signUserOperation(asked, secret),
    signRevocation: ({ transaction }) => signRevocation(transaction, secret),
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
    keys,
    accounts: { eip155: owner, solana: '' },
    ...given,
  })
}
