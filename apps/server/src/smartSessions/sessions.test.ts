import { createPrivateKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { permissionContracts } from '@latchkey/wire/permissions'
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  toFunctionSelector,
} from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountAbi,
  type Call,
  caipId,
  type GrantedSession,
  sink,
  startSessions,
  type TestSessions,
} from '../../test/startSessions.ts'
import { startTestServer } from '../../test/startTestServer.ts'
import { userOperation } from '../bundler/operations/userOperation.ts'
import { hashOf } from './coSign.ts'
import { encodeRedemption } from './redemption.ts'
import { toParts } from './session.ts'
import { findSmartSession } from './sessionStore.ts'

const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function mint(address to, uint256 amount)',
])

let running: TestSessions
let server: TestSessions['server']
let chains: TestSessions['chains']
let time: TestSessions['time']
let env: TestSessions['env']
let { node, openOwner, post, rpc, grant, prepare, use, native, start } = {} as TestSessions
beforeAll(async () => {
  running = await startSessions()
  ;({ server, chains, time, env, node, openOwner, post, rpc, grant, prepare, use, native, start } =
    running)
})
afterAll(() => running?.stop())

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

test('param: the co-signer refuses wrong arguments, values above the limit, and early allowances', async () => {
  const { usd } = chains.addresses[caipId]
  const owner = await openOwner()
  const inputs = [{ type: 'address' }, { type: 'uint8' }]
  const granted = await grant(owner, [
    {
      type: 'contract-call',
      data: {
        address: sink,
        abi: [{ type: 'function', name: 'buy', inputs }],
        functions: [
          {
            functionName: 'buy',
            args: [null, { operator: 'GREATER_THAN', value: 4 }],
            valueLimit: '0x64',
          },
        ],
      },
    },
    {
      type: 'erc20-recurring-allowance',
      data: { token: usd, allowance: '0x64', start: start() + 600, period: 60 },
    },
  ])
  const buy = (amount: bigint, value: bigint) => ({
    to: sink,
    value,
    data: concat([
      toFunctionSelector('buy(address,uint8)'),
      pad(sink),
      numberToHex(amount, { size: 32 }),
    ]),
  })
  const early = { to: usd, value: 0n, data: transfer(sink, 1n) }
  const account = {
    chainId: caipId,
    address: owner.owner.address.toLowerCase() as Address,
  } as const
  const session = await findSmartSession(server.services, { account, pci: granted.pci })
  const { preparedCalls } = await prepare(granted, [{ ...buy(5n, 100n), value: '0x64' }])
  /**
   * The client chooses the bytes of an operation, so no node has checked them before the co-signer
   * does.
   */
  const sign = async (call: typeof early, part: number) => {
    const callData = encodeRedemption(session, [{ call, part }])
    const operation = { ...preparedCalls.data, callData }
    const hash = hashOf(session, userOperation.parse(operation))
    const userOp = { ...operation, signature: await granted.session.sign({ hash }) }
    return post(`${granted.path}/sign`, { pci: granted.pci, userOp })
  }
  expect((await sign(buy(5n, 100n), 0)).status).toBe(200)
  const refused = (text: string) => ({
    status: 401,
    json: { reasons: [{ description: expect.stringContaining(text) }] },
  })
  for (const call of [buy(4n, 100n), buy(256n, 100n), buy(5n, 101n)])
    expect(await sign(call, 0)).toMatchObject(refused('call 1 is not permitted'))
  expect(await sign(early, 1)).toMatchObject(refused('an allowance has not begun yet'))
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

test('error: of two concurrent operations that together exceed an allowance, only the first is signed', async () => {
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
  expect(signed.toSorted()).toEqual([200, 401])
})

test('error: nothing is signed for another key, other bytes or another session', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))])
  const { preparedCalls, signatureRequest } = await prepare(granted, [{ to: sink, value: '0x1' }])
  expect(preparedCalls).toMatchObject({
    type: 'user-operation-v07',
    entryPoint: entryPoint08Address.toLowerCase(),
  })
  const sign = (userOp: object) => post(`${granted.path}/sign`, { pci: granted.pci, userOp })
  const stranger = privateKeyToAccount(generatePrivateKey())
  const wrong = await stranger.sign({ hash: signatureRequest.hash })
  expect((await sign({ ...preparedCalls.data, signature: wrong })).status).toBe(401)
  const right = await granted.session.sign({ hash: signatureRequest.hash })
  expect((await sign({ ...preparedCalls.data, signature: right, nonce: '0x1' })).status).toBe(401)
  expect((await sign({ ...preparedCalls.data, signature: right, sender: sink })).status).toBe(401)
  expect((await sign({ ...preparedCalls.data, signature: right })).status).toBe(200)
  const other = await grant(owner, [native(1n)])
  const elsewhere = await post(`${other.path}/sign`, {
    pci: other.pci,
    userOp: { ...preparedCalls.data, signature: right },
  })
  expect(elsewhere).toMatchObject({
    status: 401,
    json: { reasons: [{ description: expect.stringMatching(/^Cosigner permission denied: /) }] },
  })
})

test('error: for a session that has ended, /sign returns 400, even if only the chain has ended it', async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(parseEther('1'))])
  const { preparedCalls, signatureRequest } = await prepare(granted, [{ to: sink, value: '0x1' }])
  const signature = await granted.session.sign({ hash: signatureRequest.hash })
  const functionName = 'revokePermissions'
  await owner.send(encodeFunctionData({ abi: accountAbi, functionName, args: [granted.hashes] }))
  const userOp = { ...preparedCalls.data, signature }
  for (let count = 0; count < 2; count++)
    expect(await post(`${granted.path}/sign`, { pci: granted.pci, userOp })).toMatchObject({
      status: 400,
      json: { reasons: [{ field: 'pci', description: expect.stringContaining('was revoked') }] },
    })
})

test("param: an app's paymaster is ignored; an unknown capability that is not optional is refused", async () => {
  const owner = await openOwner()
  const granted = await grant(owner, [native(1_000n)])
  const ask = (more: object) =>
    rpc('wallet_prepareCalls', [
      {
        from: granted.from,
        chainId: '0x7a69',
        calls: [{ to: sink, value: '0x1' }],
        capabilities: { permissions: { context: granted.pci }, ...more },
      },
    ])
  // Nothing listens there.
  const paymasterService = { url: 'http://127.0.0.1:9/' }
  expect(await ask({ paymasterService })).toMatchObject([{ context: granted.pci }])
  expect(await ask({ other: { optional: true } })).toMatchObject([{ context: granted.pci }])
  await expect(ask({ other: {} })).rejects.toThrow(/capability.*other/)
})

test('default: a session with a P-256 key sends what that key has signed', async () => {
  const owner = await openOwner()
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
  const point = [x, y].map((one) => Buffer.from(one, 'base64url').toString('hex').padStart(64, '0'))
  const publicKey: Hex = `0x04${point.join('')}`
  const granted = await grant(owner, [native(1_000n)], { signer: { type: 'secp256r1', publicKey } })
  const { preparedCalls, signatureRequest } = await prepare(granted, [{ to: sink, value: '0x1' }])
  const signHash = (hash: Hex): Hex => {
    const form = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const
    return `0x${signBytes('sha256', Buffer.from(hash.slice(2), 'hex'), form).toString('hex')}`
  }
  const ask = (signature: Hex) =>
    rpc('wallet_sendPreparedCalls', [{ preparedCalls, signature, context: granted.pci }])
  await expect(ask(signHash(`0x${'11'.repeat(32)}`))).rejects.toThrow()
  await expect(ask(await granted.session.sign({ hash: signatureRequest.hash }))).rejects.toThrow()
  expect(await ask(signHash(signatureRequest.hash))).toEqual([expect.stringMatching(/^0x/)])
})

test('default: its own key ends a session, and no other does', async () => {
  const owner = await openOwner()
  const [granted, other] = [
    await grant(owner, [native(1_000n)]),
    await grant(owner, [native(1_000n)]),
  ]
  const signText = ({ secret, session }: GrantedSession, text: string) => {
    const key = Buffer.concat([
      Buffer.from('30740201010420', 'hex'),
      Buffer.from(secret.slice(2), 'hex'),
      Buffer.from('a00706052b8104000aa144034200', 'hex'),
      Buffer.from(session.publicKey.slice(2), 'hex'),
    ])
    const held = createPrivateKey({ key, format: 'der', type: 'sec1' })
    return signBytes('sha256', Buffer.from(text), held).toString('base64')
  }
  const end = (signature: string) => post(`${granted.path}/revoke`, { pci: granted.pci, signature })
  for (const wrong of [signText(other, granted.pci), signText(granted, other.pci), 'AAAA', ''])
    expect((await end(wrong)).status).toBe(400)
  expect((await end(signText(granted, granted.pci))).status).toBe(200)
  await expect(prepare(granted, [{ to: sink, value: '0x1' }])).rejects.toThrow(/revoked/)
  await prepare(other, [{ to: sink, value: '0x1' }])
})

test('error: the chain itself refuses the holder of the server key who skips the co-signer', async () => {
  // Our own key in place of the server's: only the limits of the chain remain.
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
  for (const target of [owner.owner.address, permissionContracts.manager, entryPoint08Address])
    await expect(redeem(target, 0n)).rejects.toThrow(/target/)
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
  time.nowMs += 100_000
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
  time.nowMs += 601_000
  await expect(prepare(granted, [{ to: sink, value: '0x1' }])).rejects.toThrow(/has ended/)
})

test('error: permissions without an end, without a limit or of an unknown kind are refused', async () => {
  const { usd } = chains.addresses[caipId]
  const { owner } = await openOwner()
  const key = { type: 'secp256k1', publicKey: privateKeyToAccount(generatePrivateKey()).publicKey }
  const good = {
    expiry: Math.floor(time.nowMs / 1_000) + 60,
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
  const empty = { ...good, permissions: [] }
  expect((await post(`/v1/sessions/${caipId}:${owner.address}`, empty)).json).toMatchObject({
    reasons: [{ field: 'permissions', description: 'Permissions set is empty' }],
  })
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
