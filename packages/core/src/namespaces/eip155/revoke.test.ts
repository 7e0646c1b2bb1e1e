import { readArtifact, startChains, waitForReceipt } from '@latchkey/dev'
import { LatchkeyError } from '@latchkey/wire'
import {
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  type Hex,
  http,
  parseAbi,
  zeroAddress,
} from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { rpc } from '../../../test/rpc.ts'
import { latchkeyOne as network } from '../../networks.ts'
import type { RevokeParameters } from '../revokePlan.ts'
import { evmRevoke } from './revoke.ts'

const owner = `0x${'11'.repeat(20)}`
const spender: Hex = `0x${'22'.repeat(20)}`
const contract = `0x${'33'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`
const chainId = network.caipNetworkId
const signal = new AbortController().signal

type Allowance = RevokeParameters['allowances'][number]
const allowance = (kind: Allowance['kind'], more: Partial<Allowance> = {}): Allowance => ({
  kind,
  token: { address: `${chainId}:${contract}`, name: null, symbol: null, iconUrl: null },
  tokenId: kind === 'erc721' ? '7' : null,
  spender,
  ...more,
})

/**
 * A question whose wallet and node approve everything, and the transactions that the wallet
 * received.
 */
function ask(allowances: readonly Allowance[], more: Partial<RevokeParameters> = {}) {
  const sent: { to: string; data: Hex; value: string }[] = []
  const question: RevokeParameters = {
    allowances,
    network,
    account: { address: owner, namespace: 'eip155', type: 'eoa' } as RevokeParameters['account'],
    async wallet(_, params) {
      sent.push((params as typeof sent)[0] as (typeof sent)[number])
      return hash
    },
    async node(method) {
      if (method === 'eth_getBalance') return '0xde0b6b3a7640000'
      if (method === 'eth_getBlockByNumber') return { baseFeePerGas: '0x1' }
      if (method === 'eth_feeHistory')
        return { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1'], gasUsedRatio: [0.1] }
      return '0x5208'
    },
    sendBatch: undefined,
    waitForTransaction: async () => ({ status: 'success' }),
    ...more,
  }
  return { sent, question }
}

const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const permit2Abi = parseAbi([
  'function lockdown((address token, address spender)[] approvals)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)',
])

test('default: each kind is revoked by a separate call, all of Permit2 by one', async () => {
  const other = `0x${'44'.repeat(20)}`
  const { sent, question } = ask([
    allowance('erc20'),
    allowance('permit2'),
    allowance('erc721'),
    allowance('operator'),
    allowance('permit2', { spender: other }),
  ])
  const plan = await evmRevoke.plan(question)
  expect(plan).toMatchObject({ count: 4, isBatch: false, fee: { payer: 'account' } })
  expect(plan.fee.value).toBeGreaterThan(0n)
  const steps: number[] = []
  await plan.execute(signal, (index) => steps.push(index))
  expect(steps).toEqual([0, 1, 2, 3])
  expect(sent.map(({ to, value }) => [to, value])).toEqual([
    [contract, '0x0'],
    [contract, '0x0'],
    [contract, '0x0'],
    [permit2Address, '0x0'],
  ])
  const [erc20, erc721, operator, permit2] = sent.map(({ data }) => data)
  const zero = `0x${'00'.repeat(20)}`
  expect(decodeFunctionData({ abi: erc20Abi, data: erc20 ?? '0x' }).args).toEqual([spender, 0n])
  expect(decodeFunctionData({ abi: erc721Abi, data: erc721 ?? '0x' }).args).toEqual([zero, 7n])
  expect(decodeFunctionData({ abi: erc721Abi, data: operator ?? '0x' })).toMatchObject({
    functionName: 'setApprovalForAll',
    args: [spender, false],
  })
  expect(decodeFunctionData({ abi: permit2Abi, data: permit2 ?? '0x' }).args?.[0]).toEqual([
    { token: contract, spender },
    { token: contract, spender: other },
  ])
})

test('behavior: one batch if the wallet can, single transactions if it then refuses the batch', async () => {
  const two = [allowance('erc20'), allowance('operator')]
  const batches: number[] = []
  const taken = ask(two, {
    sendBatch: async (calls) => {
      batches.push(calls.length)
      return 'confirmed'
    },
  })
  const plan = await evmRevoke.plan(taken.question)
  expect(plan).toMatchObject({ count: 1, isBatch: true })
  await plan.execute(signal)
  expect([batches, taken.sent]).toEqual([[2], []])

  const refused = ask(two, {
    sendBatch: async () => {
      throw new LatchkeyError('ATOMICITY_UNSUPPORTED')
    },
  })
  await (await evmRevoke.plan(refused.question)).execute(signal)
  expect(refused.sent).toHaveLength(2)
})

test('behavior: one allowance needs no batch, and a smart account no balance', async () => {
  const { question } = ask([allowance('erc20')], {
    sendBatch: async () => 'confirmed',
    account: {
      address: owner,
      namespace: 'eip155',
      type: 'smartAccount',
    } as RevokeParameters['account'],
    node: async (method) => {
      if (method === 'eth_getBalance') return '0x0'
      return method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : '0x5208'
    },
  })
  expect(await evmRevoke.plan(question)).toMatchObject({
    isBatch: false,
    fee: { payer: 'account' },
  })
  const asked: unknown[] = []
  const isFeePaid: RevokeParameters['isFeePaid'] = async ({ calls = [] }) => {
    asked.push(calls.map(({ to }) => to))
    return calls.length < 2
  }
  const payer = async (allowances: RevokeParameters['allowances'], more = {}) =>
    (await evmRevoke.plan({ ...question, isFeePaid, allowances, ...more })).fee.payer
  const two = [allowance('erc20'), allowance('operator')]
  expect(await payer([allowance('erc20')])).toBe('sponsor')
  expect(await payer(two)).toBe('account')
  expect(await payer(two, { sendBatch: undefined })).toBe('sponsor')
  const to = contract
  expect(asked).toEqual([[to], [to, to], [to], [to]])
})

test.each<[string, Partial<RevokeParameters>, number]>([
  ['a batch that is refused', { sendBatch: async () => 'failed' }, 2],
  [
    'a transaction that is reverted',
    { waitForTransaction: async () => ({ status: 'reverted' }) },
    1,
  ],
])('error: %s', async (_, more, count) => {
  const { question } = ask([allowance('erc20'), allowance('operator')].slice(0, count), more)
  const plan = await evmRevoke.plan(question)
  await expect(plan.execute(signal)).rejects.toMatchObject({ code: 'REVOKE_REFUSED' })
})

test.each([
  ['cancelled', 'TRANSACTION_CANCELLED'],
  ['replaced', 'TRANSACTION_REPLACED'],
  ['unknown', 'TRANSACTION_UNCONFIRMED'],
] as const)('error: a transaction that is %s ends a revocation with %s', async (status, code) => {
  const waitForTransaction = async () => ({ status })
  const { question } = ask([allowance('erc20'), allowance('operator')], { waitForTransaction })
  const plan = await evmRevoke.plan(question)
  await expect(plan.execute(signal)).rejects.toMatchObject({ code })
})

test('behavior: a revocation continues after a transaction that was sped up', async () => {
  const waitForTransaction = async () =>
    ({ status: 'success', hash: `0x${'cd'.repeat(32)}`, isSpedUp: true }) as const
  const { sent, question } = ask([allowance('erc20'), allowance('operator')], {
    waitForTransaction,
  })
  const plan = await evmRevoke.plan(question)
  await plan.execute(signal)
  expect(sent).toHaveLength(2)
})

test.each([
  [
    'another network',
    allowance('erc20', { token: { ...allowance('erc20').token, address: `eip155:1:${contract}` } }),
  ],
  ['no address', allowance('erc20', { spender: 'alice.eth' })],
  ['no NFT', allowance('erc721', { tokenId: '-1' })],
] as const)('error: what a server names that is %s is asked of no wallet', async (_, wrong) => {
  const { question, sent } = ask([wrong])
  await expect(evmRevoke.plan(question)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  expect(sent).toEqual([])
})

test.each<[string, () => unknown]>([
  [
    'refuses to',
    () =>
      Promise.reject(new LatchkeyError('RPC_FAILED', { data: { reason: 'execution reverted' } })),
  ],
  ['does not', () => '0x'],
])(
  'error: an NFT that the server calls a token, which %s say what it allows, is not given away',
  async (_, answer) => {
    const honest = ask([allowance('operator'), allowance('erc20')])
    const { node } = honest.question
    const question = {
      ...honest.question,
      node: async (...asked: Parameters<typeof node>) =>
        asked[0] === 'eth_call' ? answer() : node(...asked),
    }
    await expect(evmRevoke.plan(question)).rejects.toMatchObject({ code: 'REVOKE_REFUSED' })
    expect(honest.sent).toEqual([])
  },
)

test('error: nothing to pay the fee with, and a call that would fail', async () => {
  const poor = ask([allowance('erc20')])
  const node = poor.question.node
  const empty = {
    ...poor.question,
    node: async (method: string) => (method === 'eth_getBalance' ? '0x0' : node(method)),
  }
  await expect(evmRevoke.plan(empty)).rejects.toMatchObject({ code: 'INSUFFICIENT_GAS' })
  const failing = {
    ...poor.question,
    node: async (method: string) => {
      if (method === 'eth_estimateGas')
        throw new LatchkeyError('RPC_FAILED', { data: { reason: 'execution reverted' } })
      return node(method)
    },
  }
  await expect(evmRevoke.plan(failing)).rejects.toMatchObject({ code: 'REVOKE_REFUSED' })
})

test('default: on a chain, nothing is left of a token, an NFT, all NFTs and Permit2', async () => {
  const chains = await startChains({ ports: 'free' })
  onTestFinished(() => chains.stop())
  const url = chains.urls[chainId as 'eip155:31337']
  const { usd, gold, keys } = chains.addresses[chainId as 'eip155:31337']
  const client = createPublicClient({ transport: http(url) })
  const owner = (
    await client.readContract({ ...nft(keys), functionName: 'ownerOf', args: [1n] })
  ).toLowerCase() as Hex
  const send = async (transaction: object) => {
    const sentHash = await rpc(url, 'eth_sendTransaction', [{ from: owner, ...transaction }])
    return waitForReceipt(client, sentHash as Hex)
  }
  const { bytecode } = readArtifact('DevPermit2')
  const { contractAddress } = await send({ data: bytecode })
  const code = await rpc(url, 'eth_getCode', [contractAddress, 'latest'])
  await rpc(url, 'anvil_setCode', [permit2Address, code])
  const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
  await send({ to: usd, data: allow })
  await send({
    to: keys,
    data: encodeFunctionData({ ...nft(keys), functionName: 'approve', args: [spender, 1n] }),
  })
  await send({
    to: keys,
    data: encodeFunctionData({
      ...nft(keys),
      functionName: 'setApprovalForAll',
      args: [spender, true],
    }),
  })
  const lent = [gold, spender, 7n, 2 ** 40] as const
  await send({
    to: permit2Address,
    data: encodeFunctionData({ abi: permit2Abi, functionName: 'approve', args: lent }),
  })
  const left = async () =>
    Promise.all([
      client.readContract({
        address: usd,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [owner, spender],
      }),
      client.readContract({ ...nft(keys), functionName: 'getApproved', args: [1n] }),
      client.readContract({
        ...nft(keys),
        functionName: 'isApprovedForAll',
        args: [owner, spender],
      }),
      client
        .readContract({
          address: permit2Address,
          abi: permit2Abi,
          functionName: 'allowance',
          args: [owner, gold, spender],
        })
        .then(([amount]) => amount),
    ])
  expect(await left()).toEqual([5n, spender, true, 7n])
  const of = (address: string) => ({
    ...allowance('erc20').token,
    address: `${chainId}:${address}`,
  })
  const { question } = ask(
    [
      allowance('erc20', { token: of(usd) }),
      allowance('erc721', { token: of(keys), tokenId: '1' }),
      allowance('operator', { token: of(keys) }),
      allowance('permit2', { token: of(gold) }),
    ],
    {
      account: { address: owner, namespace: 'eip155', type: 'eoa' } as RevokeParameters['account'],
      node: (method, params) => rpc(url, method, params as unknown[]),
      wallet: (method, params) => rpc(url, method, params as unknown[]),
      waitForTransaction: async ({ hash: sentHash }) => waitForReceipt(client, sentHash as Hex),
    },
  )
  const plan = await evmRevoke.plan(question)
  expect(plan.count).toBe(4)
  await plan.execute(signal)
  expect(await left()).toEqual([0n, zeroAddress, false, 0n])
  // The NFT itself stays.
  expect(
    (
      await client.readContract({ ...nft(keys), functionName: 'ownerOf', args: [1n] })
    ).toLowerCase(),
  ).toBe(owner)
})

const nft = (address: Hex) => ({ address, abi: erc721Abi })
