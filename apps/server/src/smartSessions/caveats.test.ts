import { type Chains, startChains, waitForReceipt } from '@latchkey/dev'
import { type Permission, permissionContracts } from '@latchkey/wire/permissions'
import {
  type Address,
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  toFunctionSelector,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountAbi, caipId, sink } from '../../test/startSessions.ts'
import { type Part, toParts } from './session.ts'

/**
 * The chain refuses these even if the caller has the server's key of a session and no co-signer
 * checks: each limit, and one unit beyond it.
 */

const managerAbi = parseAbi([
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
])
const tokenAbi = parseAbi(['function mint(address to, uint256 amount)'])
/** Has no code: any call that the caveats allow succeeds there. */
const target: Address = '0x00000000000000000000000000000000000c0de1'
const hour = 3_600

let chains: Chains
let clients: ReturnType<typeof openClients>
/** The user's account, and the holder of the key that it delegates to. */
const owner = privateKeyToAccount(generatePrivateKey())
const holder = privateKeyToAccount(generatePrivateKey())

function openClients() {
  const transport = http(chains.urls[caipId])
  const options = { chain: foundry, transport, pollingInterval: 20 } as const
  return {
    node: createPublicClient(options),
    anvil: createTestClient({ ...options, mode: 'anvil' }),
    owner: createWalletClient({ ...options, account: owner }),
    holder: createWalletClient({ ...options, account: holder }),
  }
}

beforeAll(async () => {
  chains = await startChains()
  clients = openClients()
  for (const { address } of [owner, holder])
    await clients.anvil.setBalance({ address, value: parseEther('5') })
  const authorization = await owner.signAuthorization({
    contractAddress: permissionContracts.account,
    chainId: foundry.id,
    nonce: 1,
  })
  await done(
    clients.owner.sendTransaction({ to: owner.address, authorizationList: [authorization] }),
  )
  const mint = {
    abi: tokenAbi,
    address: chains.addresses[caipId].usd,
    functionName: 'mint',
    args: [owner.address, 1_000_000n],
  } as const
  // Not sent by the owner: the node may count the nonce of its authorization only after it has
  // cleaned its pool.
  await done(clients.holder.writeContract(mint))
})
afterAll(() => chains?.stop())

async function done(sending: Promise<Hex>) {
  const receipt = await waitForReceipt(clients.node, await sending)
  expect(receipt.status).toBe('success')
}

/** The time of the chain, in seconds. */
const readNow = async () => Number((await clients.node.getBlock()).timestamp)

/** Sets the time of the last block, which simulated calls use. */
async function goTo(seconds: number) {
  await clients.anvil.setNextBlockTimestamp({ timestamp: BigInt(seconds) })
  await clients.anvil.mine({ blocks: 1 })
  expect(await readNow()).toBe(seconds)
}

let granted = 0

/** The only part of a permission that the chain has. */
async function grant(permission: Permission, expiry: number): Promise<Part> {
  granted += 1
  const pci = `00000000-0000-4000-8000-${String(granted).padStart(12, '0')}`
  const account = { chainId: caipId, address: owner.address.toLowerCase() as Address } as const
  const parts = toParts(
    {
      expiry,
      signer: { type: 'keys', data: { keys: [] } },
      permissions: [permission],
      policies: [],
    },
    { account, delegate: holder.address.toLowerCase(), pci },
  )
  const [part, ...more] = parts
  if (!part || more.length > 0) throw new Error('not one part')
  const hashes = [part.delegation.hash as Hex]
  await done(
    clients.owner.writeContract({
      abi: accountAbi,
      address: owner.address,
      functionName: 'grantPermissions',
      args: [hashes],
    }),
  )
  return part
}

type Execution = { readonly to: Address; readonly value?: bigint; readonly data?: Hex }

const toRedemption = ({ context }: Part, { to, value = 0n, data = '0x' }: Execution) =>
  ({
    address: permissionContracts.manager,
    abi: managerAbi,
    functionName: 'redeemDelegations',
    args: [[context], [zeroHash], [concat([to, numberToHex(value, { size: 32 }), data])]],
  }) as const

const simulate = (part: Part, execution: Execution) =>
  clients.node.simulateContract({ account: holder, ...toRedemption(part, execution) })
const redeem = (part: Part, execution: Execution) =>
  done(clients.holder.writeContract(toRedemption(part, execution)))

const words = (...values: (bigint | Address)[]) =>
  concat(values.map((value) => numberToHex(BigInt(value), { size: 32 })))
const transfer = (amount: bigint) =>
  concat([toFunctionSelector('transfer(address,uint256)'), words(sink, amount)])
const play = (...args: (bigint | Address)[]) =>
  concat([toFunctionSelector('play(uint256,uint256,address)'), words(...args)])

type Rule = { operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'; value: string }

const calls = (args: (Rule | null)[] = [], valueLimit?: Hex): Permission => ({
  type: 'contract-call',
  data: {
    address: target,
    abi: [
      {
        type: 'function',
        name: 'play',
        inputs: ['uint256', 'uint256', 'address'].map((type) => ({ type })),
      },
    ],
    functions: [{ functionName: 'play', args, ...(valueLimit && { valueLimit }) }],
  },
})

/** 100 units each hour, of ether or of the token, from `start`. */
const allowances: [string, (start: number) => Permission, (amount: bigint) => Execution][] = [
  [
    'ether',
    (start) => ({
      type: 'native-token-recurring-allowance',
      data: { allowance: '0x64', start, period: hour },
    }),
    (amount) => ({ to: sink, value: amount }),
  ],
  [
    'a token',
    (start) => ({
      type: 'erc20-recurring-allowance',
      data: { token: chains.addresses[caipId].usd, allowance: '0x64', start, period: hour },
    }),
    (amount) => ({ to: chains.addresses[caipId].usd, data: transfer(amount) }),
  ],
]

const largest = 1n << 255n

test.each<[string, Permission, readonly Execution[], readonly [Execution, RegExp][]]>([
  [
    'AllowedTargets and AllowedMethods: one contract, one function',
    calls(),
    [{ to: target, data: play(0n, largest, sink) }],
    [
      [{ to: sink, data: play(0n, 0n, sink) }, /target-address-not-allowed/],
      [{ to: target, data: transfer(1n) }, /method-not-allowed/],
      [{ to: target, data: '0x40c10f' }, /invalid-execution-data-length/],
      [{ to: target }, /invalid-execution-data-length/],
    ],
  ],
  [
    'ValueLte: no value unless a limit names one',
    calls(),
    [{ to: target, data: play(0n, 0n, sink) }],
    [[{ to: target, value: 1n, data: play(0n, 0n, sink) }, /value-too-high/]],
  ],
  [
    'ValueLte: value up to valueLimit',
    calls([], '0x5'),
    [{ to: target, value: 5n, data: play(0n, 0n, sink) }],
    [[{ to: target, value: 6n, data: play(0n, 0n, sink) }, /value-too-high/]],
  ],
  [
    'Argument EQUAL, of a number and of an address',
    calls([{ operator: 'EQUAL', value: '7' }, null, { operator: 'EQUAL', value: sink }]),
    [{ to: target, data: play(7n, largest, sink) }],
    [
      [{ to: target, data: play(6n, 0n, sink) }, /ArgumentEnforcer: argument/],
      [{ to: target, data: play(8n, 0n, sink) }, /ArgumentEnforcer: argument/],
      [{ to: target, data: play(7n, 0n, target) }, /ArgumentEnforcer: argument/],
      // Bits beyond the length of an address.
      [{ to: target, data: play(7n, 0n, (1n << 160n) + BigInt(sink)) }, /argument/],
    ],
  ],
  [
    'Argument GREATER_THAN, without a sign',
    calls([null, { operator: 'GREATER_THAN', value: '7' }]),
    [
      { to: target, data: play(0n, 8n, sink) },
      { to: target, data: play(0n, largest, sink) },
    ],
    [
      [{ to: target, data: play(8n, 7n, sink) }, /ArgumentEnforcer: argument/],
      // The call ends before the argument, or within it.
      [{ to: target, data: play(8n) }, /ArgumentEnforcer: no argument/],
      [{ to: target, data: `${play(8n)}${'ff'.repeat(31)}` }, /ArgumentEnforcer: no argument/],
    ],
  ],
  [
    'Argument LESS_THAN, without a sign',
    calls([{ operator: 'LESS_THAN', value: '7' }]),
    [
      { to: target, data: play(6n, 0n, sink) },
      { to: target, data: play(0n, 0n, sink) },
    ],
    [
      [{ to: target, data: play(7n, 0n, sink) }, /ArgumentEnforcer: argument/],
      [{ to: target, data: play(largest, 0n, sink) }, /ArgumentEnforcer: argument/],
    ],
  ],
])('error: the chain enforces %s', async (_, permission, inside, beyond) => {
  const part = await grant(permission, (await readNow()) + hour)
  for (const execution of inside) await simulate(part, execution)
  for (const [execution, reason] of beyond)
    await expect(simulate(part, execution)).rejects.toThrow(reason)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const [first = { to: target }] = inside
  await expect(
    clients.node.simulateContract({ account: stranger, ...toRedemption(part, first) }),
  ).rejects.toThrow(toFunctionSelector('InvalidDelegate()'))
})

test('error: the chain sends no data with a native allowance, and only `transfer` with a token allowance', async () => {
  const { usd } = chains.addresses[caipId]
  const now = await readNow()
  const [ether, token] = [allowances[0]?.[1](now), allowances[1]?.[1](now)]
  if (!ether || !token) throw new Error('no allowance')
  const native = await grant(ether, now + hour)
  await simulate(native, { to: sink, value: 100n })
  await expect(simulate(native, { to: sink, data: '0x00' })).rejects.toThrow(/invalid-calldata/)
  const erc20 = await grant(token, now + hour)
  const data = transfer(100n)
  await simulate(erc20, { to: usd, data })
  await expect(simulate(erc20, { to: usd, data, value: 1n })).rejects.toThrow(/value-too-high/)
  await expect(simulate(erc20, { to: target, data })).rejects.toThrow(/invalid-contract/)
  const approve = concat([toFunctionSelector('approve(address,uint256)'), words(sink, 1n)])
  await expect(simulate(erc20, { to: usd, data: approve })).rejects.toThrow(/invalid-method/)
  await expect(simulate(erc20, { to: usd, data: concat([data, '0x00']) })).rejects.toThrow(/length/)
})

test.each(allowances)(
  'error: an allowance of %s: nothing before its start, beyond its amount, or twice in a period',
  async (_, toPermission, send) => {
    const start = (await readNow()) + hour
    const part = await grant(toPermission(start), start + 3 * hour)
    await goTo(start - 1)
    await expect(simulate(part, send(1n))).rejects.toThrow(/transfer-not-started/)
    await goTo(start)
    await expect(simulate(part, send(101n))).rejects.toThrow(/transfer-amount-exceeded/)
    await redeem(part, send(99n))
    await expect(simulate(part, send(2n))).rejects.toThrow(/transfer-amount-exceeded/)
    await redeem(part, send(1n))
    await goTo(start + hour - 1)
    await expect(simulate(part, send(1n))).rejects.toThrow(/transfer-amount-exceeded/)
    await goTo(start + hour)
    await expect(simulate(part, send(101n))).rejects.toThrow(/transfer-amount-exceeded/)
    await redeem(part, send(100n))
    await expect(simulate(part, send(1n))).rejects.toThrow(/transfer-amount-exceeded/)
  },
)

test.each<[string, () => Permission, Execution]>([
  ['an allowance', () => allowances[0]?.[1](1) as Permission, { to: sink, value: 1n }],
  ['a contract call', () => calls(), { to: target, data: play(0n, 0n, sink) }],
])('error: the chain ends %s at its expiry, to the second', async (_, toPermission, execution) => {
  const expiry = (await readNow()) + hour
  const part = await grant(toPermission(), expiry)
  await goTo(expiry - 1)
  await simulate(part, execution)
  await goTo(expiry)
  await expect(simulate(part, execution)).rejects.toThrow(/expired-delegation/)
})
