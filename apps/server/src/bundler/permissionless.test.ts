import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains, waitForReceipt } from '@latchkey/dev'
import { createSmartAccountClient } from 'permissionless'
import { to7702SimpleSmartAccount } from 'permissionless/accounts'
import { createPimlicoClient } from 'permissionless/clients/pimlico'
import {
  type Address,
  createPublicClient,
  createTestClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  http,
  parseEther,
} from 'viem'
import { entryPoint08Address, type UserOperation } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'

const chainId = 31_337
const caipId = 'eip155:31337'
const sink: Address = '0x00000000000000000000000000000000000c0de4'

let chains: Chains
let server: TestServer
beforeAll(async () => {
  chains = await startChains()
  const { paymaster, usd } = chains.addresses[caipId]
  const limit = String(parseEther('0.5'))
  const sponsorship = {
    paymaster,
    name: 'Test',
    contracts: [usd],
    weiPerAccountAndDay: limit,
    weiPerDay: limit,
  }
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[caipId]],
    smartAccounts: { bundler: 'own', accounts: 'any', sponsorship },
  }
  const file = join(await makeTestDir(), 'chains.json')
  writeFileSync(file, JSON.stringify({ chains: { [caipId]: chain } }))
  server = await startTestServer({
    CHAINS_FILE: file,
    BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
    SPONSOR_KEY: chains.accounts[7]?.privateKey ?? '',
    RATE_LIMIT_BURST: '100000',
  })
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
})

/**
 * The library's own account and clients, set up like in its documentation, with our bundler's URL.
 */
async function openAccount(wei: bigint) {
  const chain = defineChain({
    id: chainId,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chains.urls[caipId]] } },
  })
  const client = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const owner = privateKeyToAccount(generatePrivateKey())
  const testClient = createTestClient({ chain, mode: 'anvil', transport: http() })
  await testClient.setBalance({ address: owner.address, value: wei })
  const bundlerTransport = http(`${server.url}/v1/bundler?projectId=local&chainId=${caipId}`)
  const entryPoint = { address: entryPoint08Address, version: '0.8' } as const
  const pimlico = createPimlicoClient({ transport: bundlerTransport, entryPoint })
  const account = await to7702SimpleSmartAccount({ client, owner })
  const options = {
    account,
    client,
    chain,
    bundlerTransport,
    pollingInterval: 20,
    userOperation: {
      estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice()).fast,
    },
  }
  const authorization = await owner.signAuthorization({
    contractAddress: chains.addresses[caipId].smartAccount,
    chainId,
    nonce: 0,
  })
  return { client, account, options, pimlico, authorization }
}

const approve = (usd: Address) => ({
  to: usd,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sink, 1n] }),
})

test('default: permissionless sends batches through our bundler, and the account pays', async () => {
  const { client, options, authorization } = await openAccount(parseEther('1'))
  const wallet = createSmartAccountClient(options)
  const calls = [
    { to: sink, value: 3n },
    { to: sink, value: 4n },
  ]
  const hash = await wallet.sendTransaction({ calls, authorization })
  const receipt = await waitForReceipt(client, hash)
  expect(receipt.status).toBe('success')
  expect(await client.getBalance({ address: sink })).toBe(7n)
})

test('default: permissionless has our paymaster pay for an account without money, within the policy', async () => {
  const { client, account, options, pimlico, authorization } = await openAccount(0n)
  const wallet = createSmartAccountClient({ ...options, paymaster: pimlico })
  const { usd } = chains.addresses[caipId]
  const hash = await wallet.sendUserOperation({ calls: [approve(usd)], authorization })
  const receipt = await wallet.waitForUserOperationReceipt({ hash })
  expect(receipt.success).toBe(true)
  expect(await pimlico.getUserOperationStatus({ hash })).toEqual({
    status: 'included',
    transactionHash: receipt.receipt.transactionHash,
  })
  expect(receipt.paymaster?.toLowerCase()).toBe(chains.addresses[caipId].paymaster.toLowerCase())
  expect(await client.getBalance({ address: account.address })).toBe(0n)
  await expect(wallet.sendUserOperation({ calls: [approve(sink)] })).rejects.toThrow(
    'Not sponsored: calls to',
  )
  // Gas and paymaster in one answer.
  const drafted = await createSmartAccountClient(options).prepareUserOperation({
    calls: [approve(usd)],
    parameters: ['factory', 'fees', 'nonce', 'signature'],
  })
  // The library's types have this method only for older entry points.
  const sponsored: object = await pimlico.sponsorUserOperation({ userOperation: drafted as never })
  const whole = { ...drafted, ...sponsored } as unknown as UserOperation<'0.8'>
  const signature = await account.signUserOperation(whole)
  const second = await wallet.sendUserOperation({ ...whole, signature })
  expect((await wallet.waitForUserOperationReceipt({ hash: second })).success).toBe(true)
})
