import { createPublicClient, createWalletClient, http, keccak256 } from 'viem'
import {
  entryPoint08Abi,
  entryPoint08Address,
  toPackedUserOperation,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getBundler } from '../chains/accounts.ts'
import { devChainIds } from '../chains/definitions.ts'
import { type Chains, startChains } from '../chains/startChains.ts'
import { waitForReceipt } from '../chains/waitForReceipt.ts'

let chains: Chains
beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())

const open = (id: (typeof devChainIds)[number]) =>
  createPublicClient({ transport: http(chains.urls[id]) })

test('default: EntryPoint, account and paymaster are deployed on both chains, the first two at their canonical addresses', async () => {
  for (const id of devChainIds) {
    const { entryPoint, smartAccount, paymaster } = chains.addresses[id]
    expect(entryPoint).toBe(entryPoint08Address)
    expect(smartAccount).toBe('0xe6Cae83BdE06E4c305530e199D7217f42808555B')
    const code = await open(id).getCode({ address: smartAccount })
    expect(keccak256(code ?? '0x')).toBe(
      '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3',
    )
    const deposit = {
      abi: entryPoint08Abi,
      address: entryPoint,
      functionName: 'balanceOf',
    } as const
    expect(await open(id).readContract({ ...deposit, args: [paymaster] })).toBe(10n ** 20n)
  }
})

test('default: an account that delegates with its first operation makes two calls at once', async () => {
  const [id] = devChainIds
  if (!id) throw new Error('no chain')
  const client = open(id)
  const chainId = await client.getChainId()
  const chain = {
    id: chainId,
    name: 'One',
    nativeCurrency: { name: '', symbol: '', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
  const owner = privateKeyToAccount(chains.accounts[5]?.privateKey ?? '0x')
  const account = await toSimple7702SmartAccount({
    client: createPublicClient({ chain, transport: http(chains.urls[id]) }),
    owner,
  })
  const authorization = await owner.signAuthorization({
    contractAddress: chains.addresses[id].smartAccount,
    chainId,
    nonce: await client.getTransactionCount({ address: owner.address }),
  })
  const to = '0x00000000000000000000000000000000000c0de0'
  const operation = {
    authorization,
    sender: owner.address,
    nonce: await account.getNonce(),
    factory: '0x7702' as const,
    factoryData: '0x' as const,
    callData: await account.encodeCalls([
      { to, value: 3n },
      { to, value: 4n },
    ]),
    callGasLimit: 200_000n,
    verificationGasLimit: 150_000n,
    preVerificationGas: 60_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  }
  const signature = await account.signUserOperation({ ...operation, signature: '0x' })
  const bundler = createWalletClient({
    account: privateKeyToAccount(getBundler(chains.accounts).privateKey),
    chain,
    transport: http(chains.urls[id]),
  })
  const hash = await bundler.writeContract({
    abi: entryPoint08Abi,
    address: entryPoint08Address,
    functionName: 'handleOps',
    args: [[toPackedUserOperation({ ...operation, signature })], bundler.account.address],
    authorizationList: [authorization],
  })
  expect((await waitForReceipt(client, hash)).status).toBe('success')
  expect(await client.getBalance({ address: to })).toBe(7n)
  expect(await client.getCode({ address: owner.address })).toBe(
    `0xef0100${chains.addresses[id].smartAccount.slice(2).toLowerCase()}`,
  )
})
