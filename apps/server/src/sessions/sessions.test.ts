import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { type PermissionGrant, permissionContracts } from '@latchkey/wire/permissions'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  hexToString,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { toParts } from './session.ts'

const caipId = 'eip155:31337'
const sink: Address = '0x00000000000000000000000000000000000c0de0'
const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function mint(address to, uint256 amount)',
])
const accountAbi = parseAbi([
  'function grantPermissions(bytes32[] hashes)',
  'function revokePermissions(bytes32[] hashes)',
  'function execute(address target, uint256 value, bytes data)',
])

let chains: Chains
let server: TestServer
let env: Record<string, string>
let nowMs = Date.now()
beforeAll(async () => {
  chains = await startChains()
  const { paymaster } = chains.addresses[caipId]
  const chainsFile = join(await makeTestDir(), 'chains.json')
  const sponsorship = {
    paymaster,
    name: 'Test',
    weiPerAccountAndDay: String(parseEther('10')),
    weiPerDay: String(parseEther('50')),
  }
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[caipId]],
    smartAccounts: { bundler: 'own', sponsorship, permissions: true },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [caipId]: chain } }))
  env = {
    CHAINS_FILE: chainsFile,
    BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
    SPONSOR_KEY: chains.accounts[7]?.privateKey ?? '',
    RATE_LIMIT_BURST: '100000',
  }
  server = await startTestServer(env, { clock: () => nowMs })
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
})

const viemChain = () =>
  defineChain({
    id: 31_337,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chains.urls[caipId]] } },
  })
const node = () =>
  createPublicClient({ chain: viemChain(), transport: http(), pollingInterval: 20 })

/** An account with money, which delegates to PermissionAccount. */
async function openOwner() {
  const owner = privateKeyToAccount(generatePrivateKey())
  const testClient = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
  await testClient.setBalance({ address: owner.address, value: parseEther('5') })
  const wallet = createWalletClient({ account: owner, chain: viemChain(), transport: http() })
  const authorization = await owner.signAuthorization({
    contractAddress: permissionContracts.account,
    chainId: 31_337,
    nonce: 1,
  })
  const send = async (data: Hex, authorizationList?: [typeof authorization]) => {
    const hash = await wallet.sendTransaction({
      to: owner.address,
      data,
      ...(authorizationList && { authorizationList }),
    })
    expect((await node().waitForTransactionReceipt({ hash })).status).toBe('success')
  }
  return { owner, send, authorization }
}

const post = async (path: string, body: object) => {
  const response = await fetch(
    `${server.url}${path}${path.includes('?') ? '&' : '?'}projectId=local`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  return { status: response.status, json: (await response.json()) as never }
}

const rpc = async (method: string, params: unknown): Promise<never> => {
  const { json } = await post('/v1/wallet', { jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = json as { result: never; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

type Owner = Awaited<ReturnType<typeof openOwner>>

/** A session that the chain and the server have. */
async function grant(
  { owner, send, authorization }: Owner,
  permissions: PermissionGrant['permissions'],
  { seconds = 3_600 } = {},
) {
  const session = privateKeyToAccount(generatePrivateKey())
  const request: PermissionGrant = {
    expiry: Math.floor(nowMs / 1_000) + seconds,
    signer: {
      type: 'keys',
      data: { keys: [{ type: 'secp256k1', publicKey: session.publicKey }] },
    },
    permissions,
    policies: [],
  }
  const path = `/v1/sessions/${caipId}:${owner.address}`
  const opened = await post(`${path}?v=2`, request)
  expect(opened.status).toBe(200)
  const { pci, key } = opened.json as { pci: string; key: { publicKey: Hex } }
  const delegate = privateKeyAddress(key.publicKey)
  const account = { chainId: caipId, address: owner.address.toLowerCase() as Address } as const
  const hashes = toParts(request, { account, delegate, pci }).map(
    ({ delegation }) => delegation.hash as Hex,
  )
  const early = await post(`${path}/activate`, { pci })
  expect(early.status).toBe(400)
  await send(
    encodeFunctionData({ abi: accountAbi, functionName: 'grantPermissions', args: [hashes] }),
    [authorization],
  )
  expect((await post(`${path}/activate`, { pci })).status).toBe(200)
  return { pci, hashes, path, session, delegate, from: owner.address }
}

const privateKeyAddress = (publicKey: Hex): string => {
  const hash = keccak256(`0x${publicKey.slice(4)}`)
  return `0x${hash.slice(-40)}`
}

type Call = { to: Address; value?: Hex; data?: Hex }
type Granted = Awaited<ReturnType<typeof grant>>

const prepare = async ({ pci, from }: Granted, calls: Call[]) => {
  const asked = { from, chainId: '0x7a69', calls, capabilities: { permissions: { context: pci } } }
  const [prepared] = (await rpc('wallet_prepareCalls', [asked])) as [
    {
      preparedCalls: { type: string; chainId: Hex; data: Record<string, unknown> }
      signatureRequest: { hash: Hex }
      context: string
    },
  ]
  return prepared
}

async function use(granted: Granted, calls: Call[]) {
  const { preparedCalls, signatureRequest, context } = await prepare(granted, calls)
  const signature = await granted.session.sign({ hash: signatureRequest.hash })
  const [id] = (await rpc('wallet_sendPreparedCalls', [{ preparedCalls, signature, context }])) as [
    Hex,
  ]
  expect(JSON.parse(hexToString(id)).chain_id).toBe(31_337)
  return vi.waitFor(
    async () => {
      const status = (await rpc('wallet_getCallsStatus', [id])) as {
        status: string
        receipts?: [{ status: string }]
      }
      expect(status.status).toBe('CONFIRMED')
      return status.receipts?.[0].status
    },
    { timeout: 20_000, interval: 50 },
  )
}

const start = () => Math.floor(nowMs / 1_000) - 10
const native = (allowance: bigint, period = 86_400) => ({
  type: 'native-token-recurring-allowance' as const,
  data: { allowance: numberToHex(allowance), start: start(), period },
})

test('default: a session sends within its allowance, not beyond it, and not after it was revoked', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))])
  const before = await node().getBalance({ address: sink })
  expect(await use(granted, [{ to: sink, value: numberToHex(parseEther('0.6')) }])).toBe('0x1')
  expect((await node().getBalance({ address: sink })) - before).toBe(parseEther('0.6'))
  // The chain refuses when the operation is prepared.
  await expect(use(granted, [{ to: sink, value: numberToHex(parseEther('0.5')) }])).rejects.toThrow(
    /exceeded/,
  )
  expect(await use(granted, [{ to: sink, value: numberToHex(parseEther('0.4')) }])).toBe('0x1')

  const list = async () => {
    const response = await fetch(`${server.url}${granted.path}?projectId=local`)
    return ((await response.json()) as { pcis: { uses: object[]; revokedAt: unknown }[] }).pcis
  }
  expect((await list())[0]).toMatchObject({
    pci: granted.pci,
    uses: [{ index: 0, used: String(parseEther('1')) }],
    revokedAt: null,
  })
  const notYet = await post(`${granted.path}/revoke`, { pci: granted.pci })
  expect(notYet.status).toBe(400)
  await owner.send(
    encodeFunctionData({
      abi: accountAbi,
      functionName: 'revokePermissions',
      args: [granted.hashes],
    }),
  )
  expect((await post(`${granted.path}/revoke`, { pci: granted.pci })).status).toBe(200)
  expect((await list())[0]?.revokedAt).not.toBeNull()
  await expect(prepare(granted, [{ to: sink, value: '0x0' }])).rejects.toThrow(/revoked/)
})

test('param: contract-call allows its function with its arguments and value, and nothing else', async () => {
  const { usd } = chains.addresses[caipId]
  const owner = await openOwner()
  const granted = await grant(owner, [
    {
      type: 'contract-call',
      data: {
        address: usd,
        abi: [
          {
            type: 'function',
            name: 'mint',
            inputs: [{ type: 'address' }, { type: 'uint256' }],
          },
        ],
        functions: [
          {
            functionName: 'mint',
            args: [
              { operator: 'EQUAL', value: owner.owner.address },
              { operator: 'LESS_THAN', value: '1000' },
            ],
          },
        ],
      },
    },
  ])
  const mint = (to: Address, amount: bigint): Call => ({
    to: usd,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] }),
  })
  const before = await balance(usd, owner.owner.address)
  expect(await use(granted, [mint(owner.owner.address, 999n), mint(owner.owner.address, 1n)])).toBe(
    '0x1',
  )
  expect((await balance(usd, owner.owner.address)) - before).toBe(1_000n)
  for (const call of [
    mint(owner.owner.address, 1_000n),
    mint(sink, 1n),
    { ...mint(owner.owner.address, 1n), value: '0x1' as const },
    { ...mint(owner.owner.address, 1n), to: sink },
    { to: usd, data: transfer(sink, 1n) },
    { to: owner.owner.address, data: '0x' as const },
  ])
    await expect(prepare(granted, [call])).rejects.toThrow(/not permitted/)
})

const transfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
const balance = (token: Address, account: Address) =>
  node().readContract({
    abi: tokenAbi,
    address: token,
    functionName: 'balanceOf',
    args: [account],
  })

test('param: an ERC-20 allowance pays its token, and no more than its amount in a period', async () => {
  const { usd } = chains.addresses[caipId]
  const owner = await openOwner()
  const granted = await grant(owner, [
    {
      type: 'erc20-recurring-allowance',
      data: { token: usd, allowance: numberToHex(500n), start: start(), period: 86_400 },
    },
    {
      type: 'contract-call',
      data: {
        address: usd,
        abi: [
          { type: 'function', name: 'mint', inputs: [{ type: 'address' }, { type: 'uint256' }] },
        ],
        functions: [{ functionName: 'mint' }],
      },
    },
  ])
  const mint = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'mint',
    args: [owner.owner.address, 10_000n],
  })
  const before = await balance(usd, sink)
  expect(
    await use(granted, [
      { to: usd, data: mint },
      { to: usd, data: transfer(sink, 500n) },
    ]),
  ).toBe('0x1')
  expect((await balance(usd, sink)) - before).toBe(500n)
  await expect(use(granted, [{ to: usd, data: transfer(sink, 1n) }])).rejects.toThrow(/exceeded/)
  await expect(prepare(granted, [{ to: usd, data: transfer(sink, 501n) }])).rejects.toThrow(
    /not permitted/,
  )
})

test('error: of two operations at once that together exceed an allowance, one is signed', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))])
  const calls = [{ to: sink, value: numberToHex(parseEther('0.7')) }]
  const both = await Promise.all([prepare(granted, calls), prepare(granted, calls)])
  const signed = await Promise.all(
    both.map(async ({ preparedCalls: { data }, signatureRequest: { hash } }) => {
      const userOp = {
        ...data,
        signature: await granted.session.signMessage({ message: { raw: hash } }),
      }
      return (await post(`${granted.path}/sign`, { pci: granted.pci, userOp })).status
    }),
  )
  expect(signed.toSorted()).toEqual([200, 400])
})

test('error: nothing is signed for another key, other bytes or another session', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))])
  const { preparedCalls, signatureRequest } = await prepare(granted, [{ to: sink, value: '0x1' }])
  const sign = (userOp: object) => post(`${granted.path}/sign`, { pci: granted.pci, userOp })
  const stranger = privateKeyToAccount(generatePrivateKey())
  const wrong = await stranger.sign({ hash: signatureRequest.hash })
  expect((await sign({ ...preparedCalls.data, signature: wrong })).status).toBe(401)
  const right = await granted.session.sign({ hash: signatureRequest.hash })
  expect((await sign({ ...preparedCalls.data, signature: right, nonce: '0x1' })).status).toBe(401)
  expect((await sign({ ...preparedCalls.data, signature: right, sender: sink })).status).toBe(400)
  expect((await sign({ ...preparedCalls.data, signature: right })).status).toBe(200)
  const other = await grant(owner, [native(1n)])
  const elsewhere = await post(`${other.path}/sign`, {
    pci: other.pci,
    userOp: { ...preparedCalls.data, signature: right },
  })
  expect(elsewhere.status).toBe(400)
})

test('error: the chain itself refuses the holder of the server key who skips the co-signer', async () => {
  // A key of our own in place of the server's: what is left is what the chain enforces.
  const owner = await openOwner()
  const thief = privateKeyToAccount(generatePrivateKey())
  const account = {
    chainId: caipId,
    address: owner.owner.address.toLowerCase() as Address,
  } as const
  const pci = '00000000-0000-4000-8000-000000000001'
  const expiry = Math.floor(Date.now() / 1_000) + 3_600
  const parts = toParts(
    {
      expiry,
      signer: { type: 'keys', data: { keys: [] } },
      permissions: [native(parseEther('1'))],
      policies: [],
    },
    { account, delegate: thief.address.toLowerCase(), pci },
  )
  await owner.send(
    encodeFunctionData({
      abi: accountAbi,
      functionName: 'grantPermissions',
      args: [parts.map(({ delegation }) => delegation.hash as Hex)],
    }),
    [owner.authorization],
  )
  const redeem = (to: Address, value: bigint, data: Hex = '0x') =>
    node().simulateContract({
      account: thief,
      address: permissionContracts.manager,
      abi: parseAbi([
        'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
      ]),
      functionName: 'redeemDelegations',
      args: [
        [parts[0]?.context ?? '0x'],
        [`0x${'0'.repeat(64)}`],
        [`0x${to.slice(2)}${value.toString(16).padStart(64, '0')}${data.slice(2)}`],
      ],
    })
  await redeem(sink, parseEther('1'))
  await expect(redeem(sink, parseEther('1.01'))).rejects.toThrow(/exceeded/)
  await expect(redeem(sink, 0n, '0x12345678')).rejects.toThrow(/calldata/i)
  await expect(redeem(owner.owner.address, 0n)).rejects.toThrow(/target/)
  await owner.send(
    encodeFunctionData({
      abi: accountAbi,
      functionName: 'revokePermissions',
      args: [parts.map(({ delegation }) => delegation.hash as Hex)],
    }),
  )
  await expect(redeem(sink, 1n)).rejects.toThrow()
})

test('error: who asks for the same again and again fills no log and leaves no uses behind', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'), 100)], { seconds: 3_600 })
  for (let count = 0; count < 3; count++)
    expect((await post(`${granted.path}/activate`, { pci: granted.pci })).status).toBe(200)
  const { db } = server.services
  const logged = await db
    .selectFrom('audit')
    .select('detail')
    .where('subject', '=', owner.owner.address.toLowerCase())
    .where('action', '=', 'session granted')
    .execute()
  expect(logged).toHaveLength(1)

  const sign = async () => {
    const { preparedCalls, signatureRequest } = await prepare(granted, [{ to: sink, value: '0x1' }])
    const signature = await granted.session.sign({ hash: signatureRequest.hash })
    const userOp = { ...preparedCalls.data, signature }
    expect((await post(`${granted.path}/sign`, { pci: granted.pci, userOp })).status).toBe(200)
  }
  await sign()
  nowMs += 100_000
  await sign()
  const uses = await db
    .selectFrom('permission_uses')
    .select('period')
    .where('pci', '=', granted.pci)
    .execute()
  expect(uses).toHaveLength(1)
})

test('error: a session that has ended signs nothing', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))], { seconds: 600 })
  nowMs += 601_000
  await expect(prepare(granted, [{ to: sink, value: '0x1' }])).rejects.toThrow(/has ended/)
})

test('error: permissions without an end, without a limit or of an unknown kind are refused', async () => {
  const { usd } = chains.addresses[caipId]
  const { owner } = await openOwner()
  const key = { type: 'secp256k1', publicKey: privateKeyToAccount(generatePrivateKey()).publicKey }
  const good = {
    expiry: Math.floor(nowMs / 1_000) + 60,
    signer: { type: 'keys', data: { keys: [key] } },
    permissions: [native(1n)],
    policies: [],
  }
  const token = (name: string, inputs: string[]) => ({
    type: 'contract-call',
    data: {
      address: usd,
      abi: [{ type: 'function', name, inputs: inputs.map((type) => ({ type })) }],
      functions: [{ functionName: name }],
    },
  })
  const bad: object[] = [
    { expiry: good.expiry - 120 },
    { expiry: good.expiry + 400 * 86_400 },
    { permissions: [] },
    { permissions: [native((1n << 256n) - 1n)] },
    { permissions: [{ type: 'everything', data: {} }] },
    { permissions: [token('approve', ['address', 'uint256'])] },
    { permissions: [token('many_msg_babbage', ['bytes1'])] },
    {
      permissions: [
        { ...token('f', []), data: { ...token('f', []).data, address: owner.address } },
      ],
    },
    { policies: [{ type: 'gas' }] },
  ]
  for (const change of bad) {
    const answer = await post(`/v1/sessions/${caipId}:${owner.address}`, { ...good, ...change })
    expect([400, 422], JSON.stringify(change)).toContain(answer.status)
  }
  expect((await post(`/v1/sessions/eip155:1:${owner.address}`, good)).status).toBe(400)
})

test('error: the frame lists no session of another project', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(1n)])
  const list = async (projectId: string) => {
    const response = await fetch(`${server.frameUrl}/api/sessions/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.frameUrl },
      body: JSON.stringify({ account: `${caipId}:${owner.owner.address}`, projectId }),
    })
    return ((await response.json()) as { sessions: { pci: string }[] }).sessions
  }
  expect((await list('local')).map(({ pci }) => pci)).toEqual([granted.pci])
  expect(await list('other')).toEqual([])
})

test('error: to prepare calls costs as much of the client’s limit as the paymaster does', async () => {
  const limits = { RATE_LIMIT_BURST: '30', RATE_LIMIT_PER_SECOND: '1' }
  const fixedMs = Date.now()
  const small = await startTestServer({ ...env, ...limits }, { clock: () => fixedMs })
  try {
    const statuses = []
    for (let count = 0; count < 3; count++) {
      const response = await fetch(`${small.url}/v1/wallet?projectId=local`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'wallet_prepareCalls', params: [] }),
      })
      statuses.push(response.status)
    }
    // Both were answered, the second on credit.
    expect(statuses).toEqual([400, 400, 429])
  } finally {
    await small.stop()
  }
})
