import type { Permission, PermissionGrant } from '@latchkey/wire/permissions'
import { type Address, encodeFunctionData, type Hex, hexToString, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountAbi,
  caipId,
  sink,
  startSessions,
  type TestSessions,
} from '../../test/startSessions.ts'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { rotateFileKeyring } from '../vault/kms/fileKeyring.ts'
import { findAccounts } from './findAccount.ts'
import { toParts } from './session.ts'
import { sweepSessions } from './sessionStore.ts'

let running: TestSessions
beforeAll(async () => {
  running = await startSessions()
})
afterAll(() => running?.stop())

const origin = 'http://localhost:5173'
type Owner = Awaited<ReturnType<TestSessions['openOwner']>>
type OpeningParameters = {
  readonly server?: Pick<TestServer, 'url'>
  readonly projectId?: string
  readonly from?: string | null
}

/** A request that a page sends to the server on its own. */
async function ask(path: string, body: object, asked: OpeningParameters = {}) {
  const { server = running.server, projectId = 'local', from = origin } = asked
  const response = await fetch(
    `${server.url}/v1/sessions/${caipId}:${path}?v=2&projectId=${projectId}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(from !== null && { origin: from }) },
      body: JSON.stringify(body),
    },
  )
  return { status: response.status, json: (await response.json()) as never }
}

test('param: v: without it, the key is the string of its 130 digits in hex, which older clients expect', async () => {
  const { owner } = await running.openOwner()
  const openAs = async (v: string) => {
    const response = await fetch(
      `${running.server.url}/v1/sessions/${caipId}:${owner.address}?projectId=local${v}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(grant),
      },
    )
    return ((await response.json()) as Opened).key
  }
  const grant = toGrant()
  const older = await openAs('')
  const newer = await openAs('&v=2')
  expect(newer.publicKey).toMatch(/^0x04[0-9a-f]{128}$/)
  expect(older.publicKey).toHaveLength(262)
  expect(`0x${hexToString(older.publicKey)}`).toBe(newer.publicKey)
})

test('param: address: a plain one finds the sessions of the account on each network with sessions', async () => {
  const world = await running.openOwner()
  const { pci, path } = await running.grant(world, [running.native(1n)])
  const { address } = world.owner
  const get = async (account: string, more = '') => {
    const url = `${running.server.url}/v1/sessions/${account}${more}`
    return (await (await fetch(url)).json()) as { pcis: { pci: string }[]; context: string | null }
  }
  for (const plain of [address, address.toLowerCase() as Address]) {
    expect(await get(plain, '?projectId=local')).toEqual(
      await get(`${caipId}:${address}`, '?projectId=local'),
    )
    const { context } = await get(plain, `/getcontext?projectId=local&pci=${pci}`)
    expect(context).toMatch(/^0x/)
    // The session is found; ending it needs more proof.
    const ended = await running.post(`/v1/sessions/${plain}/revoke`, { pci })
    expect(ended).toMatchObject({ status: 400, json: { reasons: [{ field: 'signature' }] } })
  }
  expect((await get(address, '?projectId=local')).pcis.map((one) => one.pci)).toEqual([pci])
  const opened = await running.post(`/v1/sessions/${address}?v=2`, toGrant())
  expect(opened.status).toBe(200)
  const foreign = await running.post(`/v1/sessions/${sink}/revoke`, { pci })
  expect(foreign).toMatchObject({ status: 400, json: { reasons: [{ field: 'pci' }] } })
  for (const bad of ['0x12', `eip155:${address}`, `solana:1:${address}`, `${address}0`])
    expect(await running.post(path.replace(`${caipId}:${address}`, bad), toGrant())).toMatchObject({
      status: 400,
      json: { reasons: [{ field: 'address' }] },
    })
})

test('param: address: of several networks with sessions, a plain one means all', () => {
  const smart = { smartAccounts: { permissions: true } }
  const chains = { 'eip155:1': smart, 'eip155:2': {}, 'eip155:3': smart } as never
  expect(findAccounts({ chains }, sink)).toEqual([
    { chainId: 'eip155:1', address: sink },
    { chainId: 'eip155:3', address: sink },
  ])
  expect(findAccounts({ chains }, `eip155:3:${sink}`)).toEqual([
    { chainId: 'eip155:3', address: sink },
  ])
})

test('error: parameters of POST /v1/wallet that are not valid are called that', async () => {
  const call = async (method: string, params?: unknown) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { json } = await running.post('/v1/wallet', body)
    return (json as { error: { code: number; message: string } }).error
  }
  for (const params of [[1], [], [null], ['0x', 1], {}, undefined])
    expect((await call('wallet_getCallsStatus', params)).code).toBe(-32_602)
  for (const id of ['0x', '0x1234', 'abc'])
    expect((await call('wallet_getCallsStatus', [id])).code).toBe(5_730)
  const { message } = await call('wallet_prepareCalls', [{}])
  expect(message).toContain('0.from is missing: it must be a string')
  expect(message).not.toMatch(/received|Invalid input/)
})

/** A request of the secure frame. */
async function askFrame(path: string, body: object) {
  const { frameUrl } = running.server
  const response = await fetch(`${frameUrl}/api/sessions${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: frameUrl },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as never }
}

const newKey = () => ({
  type: 'secp256k1' as const,
  publicKey: privateKeyToAccount(generatePrivateKey()).publicKey,
})
type Keys = PermissionGrant['signer']['data']['keys']
const signer = (...keys: Keys) => ({ type: 'keys' as const, data: { keys } })

const call = (functionName: string, types: readonly string[]): Permission => ({
  type: 'contract-call',
  data: {
    address: sink,
    abi: [{ type: 'function', name: functionName, inputs: types.map((type) => ({ type })) }],
    functions: [{ functionName }],
  },
})
const mint = call('mint', ['address', 'uint256'])

const toGrant = (more: Partial<PermissionGrant> = {}): PermissionGrant => ({
  expiry: Math.floor(running.time.nowMs / 1_000) + 3 * 86_400,
  signer: signer(newKey()),
  permissions: [running.native(parseEther('1')), mint],
  policies: [],
  ...more,
})

type Opened = { readonly pci: string; readonly key: { type: 'secp256k1'; publicKey: Hex } }

async function open(
  { owner }: Owner,
  grant: PermissionGrant,
  asked?: OpeningParameters,
): Promise<Opened> {
  const { status, json } = await ask(owner.address, grant, asked)
  expect(status).toBe(200)
  return json
}

/** The account grants it on the chain, with any wallet. */
async function putOnChain(
  { owner, send, authorization }: Owner,
  grant: PermissionGrant,
  opened: Opened,
) {
  const account = { chainId: caipId, address: owner.address.toLowerCase() as Address } as const
  const delegate = publicKeyToAddress(opened.key.publicKey).toLowerCase()
  const parts = toParts(grant, { account, delegate, pci: opened.pci })
  const args = [parts.map(({ delegation }) => delegation.hash as Hex)] as const
  await send(encodeFunctionData({ abi: accountAbi, functionName: 'grantPermissions', args }), [
    authorization,
  ])
  return args[0]
}

const readRows = ({ owner }: Owner) =>
  running.server.services.db
    .selectFrom('permission_sessions')
    .selectAll()
    .where('account', '=', owner.address.toLowerCase())
    .execute()

const activate = ({ owner }: Owner, body: object, asked?: OpeningParameters) =>
  ask(`${owner.address}/activate`, body, asked).then(({ status }) => status)

test('error: requests for sessions by others store nothing and use up nothing of the account', async () => {
  const owner = await running.openOwner()
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => ask(owner.owner.address, toGrant())),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const grant = toGrant()
  const opened = await open(owner, grant)
  expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(400)
  expect(await readRows(owner)).toEqual([])
  await putOnChain(owner, grant, opened)
  expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(200)
  expect(await readRows(owner)).toMatchObject([{ pci: opened.pci, origin, project_id: 'local' }])
})

test('error: a session is activated for exactly the requested parameters, by the requesting page', async () => {
  const [owner, other] = [await running.openOwner(), await running.openOwner()]
  // These two functions have the same selector.
  const collision = call('burn', ['uint256'])
  const alike = call('collate_propagate_storage', ['bytes16'])
  const first = running.native(parseEther('1'))
  const grant = toGrant({ permissions: [first, collision] })
  const opened = await open(owner, grant)
  const hashes = await putOnChain(owner, grant, opened)
  const { pci } = opened
  const right = { ...grant, pci }
  const delegate = publicKeyToAddress(opened.key.publicKey).toLowerCase()
  const account = {
    chainId: caipId,
    address: owner.owner.address.toLowerCase() as Address,
  } as const
  const again = { ...grant, permissions: [first, alike] }
  expect(
    toParts(again, { account, delegate, pci }).map(({ delegation }) => delegation.hash),
  ).toEqual(hashes)
  const changed: [object, OpeningParameters?][] = [
    [{ signer: signer(newKey()) }],
    [{ expiry: grant.expiry + 1 }],
    [{ expiry: grant.expiry - 1 }],
    [{ permissions: [first, alike] }],
    [{ permissions: [first] }],
    [{ permissions: [collision, first] }],
    [{ permissions: [running.native(parseEther('2')), collision] }],
    [{ permissions: [first, collision, first] }],
    [{ permissions: undefined }],
    [{ pci: '00000000-0000-4000-8000-000000000001' }],
    [{}, { projectId: 'other' }],
    [{}, { from: 'http://localhost:5174' }],
    [{}, { from: null }],
  ]
  for (const [change, asked] of changed)
    expect([await activate(owner, { ...right, ...change }, asked), change, asked]).toEqual([
      expect.toSatisfy((status: number) => status >= 400),
      change,
      asked,
    ])
  expect(await activate(other, right)).toBe(400)
  expect([await readRows(owner), await readRows(other)]).toEqual([[], []])
  expect(await activate(owner, right)).toBe(200)
})

test('error: an id that the server has not issued is invalid, even if the account has granted it', async () => {
  const owner = await running.openOwner()
  const grant = toGrant()
  const opened = { ...(await open(owner, grant)), pci: '00000000-0000-4000-8000-000000000002' }
  await putOnChain(owner, grant, opened)
  expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(400)
  expect(await readRows(owner)).toEqual([])
})

test('behavior: two activations at once are one session and one entry of the log', async () => {
  const owner = await running.openOwner()
  const grant = toGrant()
  const opened = await open(owner, grant)
  await putOnChain(owner, grant, opened)
  const body = { ...grant, pci: opened.pci }
  const statuses = await Promise.all(Array.from({ length: 5 }, () => activate(owner, body)))
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(await readRows(owner)).toHaveLength(1)
  const logged = await running.server.services.db
    .selectFrom('audit')
    .select('action')
    .where('subject', '=', owner.owner.address.toLowerCase())
    .execute()
  expect(logged).toEqual([{ action: 'session granted' }])
})

test('behavior: a session can be activated until the next day, by another server and after a rotation', async () => {
  const { time } = running
  const { db, config } = running.server.services
  const owner = await running.openOwner()
  const [grant, late] = [toGrant(), toGrant()]
  const [opened, lateOpened] = [await open(owner, grant), await open(owner, late)]
  await putOnChain(owner, grant, opened)
  await putOnChain(owner, late, lateOpened)
  await rotateFileKeyring(config.keyringDir)
  const place = { DATABASE_URL: config.databaseUrl ?? '', KEYRING_DIR: config.keyringDir }
  const server = await startTestServer({ ...running.env, ...place }, { clock: () => time.nowMs })
  try {
    const sweepTomorrow = async () => {
      time.nowMs += 86_400_000
      await sweepSessions({ db, clock: () => time.nowMs })
    }
    await sweepTomorrow()
    expect(await activate(owner, { ...grant, pci: opened.pci }, { server })).toBe(200)
    await sweepTomorrow()
    expect(await activate(owner, { ...late, pci: lateOpened.pci }, { server })).toBe(400)
  } finally {
    time.nowMs -= 2 * 86_400_000
    await server.stop()
  }
})

test("error: an unreadable secret does not affect sessions of other days, and today's is replaced", async () => {
  const { db } = running.server.services
  const owner = await running.openOwner()
  const own = newKey()
  const grant = toGrant({ signer: signer(own) })
  const opened = await open(owner, grant)
  await putOnChain(owner, grant, opened)
  const spoil = (day: number) =>
    db
      .insertInto('permission_roots')
      .values({ day, wrapped: Buffer.alloc(64, 7) })
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet({ wrapped: Buffer.alloc(64, 7) }),
      )
      .execute()
  const day = Math.floor(running.time.nowMs / 86_400_000)
  // Also the secret of a server whose clock is ahead.
  await spoil(day - 1)
  await spoil(day + 1)
  try {
    expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(200)
    const unknown = { ...toGrant(), pci: opened.pci.replace(/^.{8}/, '00000000') }
    expect((await ask(`${owner.owner.address}/activate`, unknown)).status).toBe(503)
    await spoil(day)
    const next = toGrant()
    const again = await open(owner, next)
    await putOnChain(owner, next, again)
    expect(await activate(owner, { ...next, pci: again.pci })).toBe(200)
  } finally {
    await db.deleteFrom('permission_roots').where('day', '!=', day).execute()
  }
})

test('error: an outdated frame gets an error that requests a reload, before its user signs', async () => {
  const { owner } = await running.openOwner()
  const account = `${caipId}:${owner.address}`
  const page = { projectId: 'local', origin, account, grant: toGrant() }
  expect(await askFrame('', page)).toMatchObject({
    status: 400,
    json: { code: 'SIGNING_REFUSED', data: { reason: expect.stringContaining('Reload the page') } },
  })
  expect((await askFrame('', { ...page, v: 2 })).status).toBe(200)
})

test('behavior: the same may be granted again after it was revoked, as another session', async () => {
  const owner = await running.openOwner()
  const grant = toGrant()
  const ids = new Set<string>()
  for (let count = 0; count < 3; count++) {
    const opened = await open(owner, grant)
    ids.add(opened.pci)
    const hashes = await putOnChain(owner, grant, opened)
    expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(200)
    const functionName = 'revokePermissions'
    await owner.send(encodeFunctionData({ abi: accountAbi, functionName, args: [hashes] }))
    expect((await ask(`${owner.owner.address}/revoke`, { pci: opened.pci })).status).toBe(200)
    // It stays revoked, even if the account grants it again on its own.
    await putOnChain(owner, grant, opened)
    expect(await activate(owner, { ...grant, pci: opened.pci })).toBe(400)
  }
  expect(ids.size).toBe(3)
})

test.each([
  ['first', (server: Keys[number], own: Keys[number]) => signer(server, own)],
  ['last', (server: Keys[number], own: Keys[number]) => signer(own, server)],
])(
  'param: an earlier client adds the key of the session that it has opened, %s',
  async (_, both) => {
    const owner = await running.openOwner()
    const own = newKey()
    const grant = toGrant({ signer: signer(own) })
    const opened = await open(owner, grant)
    const account = `${caipId}:${owner.owner.address}`
    const asked = { ...grant, signer: both(opened.key, own) }
    const page = { projectId: 'local', origin, account, grant: asked, v: 2 }
    const delegate = publicKeyToAddress(opened.key.publicKey).toLowerCase()
    expect(await askFrame('', page)).toEqual({ status: 200, json: { ...opened, delegate } })
    // Not for another page, for other permissions, or with a key that is not the server's.
    for (const change of [
      { origin: 'http://localhost:5174' },
      { projectId: 'other' },
      { grant: { ...asked, permissions: [mint] } },
      { grant: { ...asked, signer: both(newKey(), own) } },
      { grant: { ...asked, signer: both(opened.key, newKey()) } },
    ])
      expect(await askFrame('', { ...page, ...change })).toMatchObject({ status: 400 })
    await putOnChain(owner, grant, opened)
    const wrong = { ...asked, signer: both(newKey(), own), pci: opened.pci }
    expect(await activate(owner, wrong)).toBe(400)
    const { pci } = opened
    expect((await askFrame('/activate', { ...page, pci })).status).toBe(200)
    // The client itself sends a request too, with the wallet's response.
    expect(await activate(owner, { ...asked, pci, context: pci, address: 'x' })).toBe(200)
    expect(await readRows(owner)).toMatchObject([
      { pci, origin, signer: JSON.stringify(signer(own)) },
    ])
  },
)

test('behavior: what an earlier version of the server has stored is activated by its id alone, for an hour', async () => {
  const { db } = running.server.services
  const owner = await running.openOwner()
  const [granted, other] = [
    await running.grant(owner, [running.native(1n)]),
    await running.grant(owner, [running.native(1n)]),
  ]
  await db
    .updateTable('permission_sessions')
    .set({ activated_at: null, granted_block: null })
    .where('account', '=', owner.owner.address.toLowerCase())
    .execute()
  expect(await activate(owner, { pci: granted.pci })).toBe(200)
  await sweepSessions({ db, clock: () => running.time.nowMs + 3_600_001 })
  expect((await readRows(owner)).map(({ pci }) => pci)).toEqual([granted.pci])
  expect(await activate(owner, { pci: other.pci })).toBe(400)
})
