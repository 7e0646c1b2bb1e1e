import { afterEach, expect, test } from 'vitest'
import { readMetrics } from '../../test/readMetrics.ts'
import { createIdentity, testAudience } from '../../test/relayClient.ts'
import { openRelaySocket, refusalOf, testRelayEnv } from '../../test/relaySocket.ts'
import { startTestServer } from '../../test/startTestServer.ts'
import { startServer } from '../index.ts'
import { addProject } from '../projects/projects.ts'

const topic = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
const onClose = { useOnCloseEvent: 'true' }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A standalone relay with a manual clock. */
async function start(env: Record<string, string> = {}) {
  const clock = { nowMs: Date.now() }
  const server = await startServer({ ...testRelayEnv, ...env }, { clock: () => clock.nowMs })
  ends.push(server.stop)
  const open = async (
    ...[parameters]: Parameters<typeof openRelaySocket> extends [string, ...infer Rest]
      ? Rest
      : never
  ) => {
    const socket = await openRelaySocket(server.url, parameters)
    ends.push(() => socket.socket.terminate())
    return socket
  }
  const metrics = () => readMetrics(server.url)
  return { ...server, clock, open, metrics }
}

test('default: a relay without a database accepts any project, and says hello', async () => {
  const { url, open } = await start()
  const client = await open({ options: { origin: 'https://anywhere.example' } })
  expect(await client.call('irn_subscribe', { topic })).toMatch(/^[0-9a-f]{64}$/)
  expect((await fetch(`${url}/health`)).status).toBe(204)
  expect(await (await fetch(`${url}/hello`)).text()).toMatch(/^Hello World, this is Relay Server/)
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect((await fetch(`${url}/v1/supported-chains`)).status).toBe(404)
})

test('behavior: the token comes in the query or as a bearer; compression is never agreed', async () => {
  const { open } = await start()
  const { token } = createIdentity()
  const client = await open({
    query: { auth: '' },
    options: { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: true },
  })
  expect(await client.call('irn_subscribe', { topic })).toMatch(/^[0-9a-f]{64}$/)
  expect(client.socket.extensions).toBe('')
})

test('behavior: a token may name any address of this relay', async () => {
  const { url, open } = await start({ PUBLIC_URL: 'https://relay.example' })
  const { port } = new URL(url)
  for (const audience of [
    'wss://relay.example',
    'https://relay.example/',
    testAudience,
    url,
    url.replace('http', 'ws'),
    `ws://localhost:${port}`,
    `ws://[::1]:${port}/`,
  ])
    await open({ identity: createIdentity(audience) })
})

test('error: a token that is not good', async () => {
  const { url, clock } = await start()
  const now = Math.floor(clock.nowMs / 1000)
  const token = (changes: Record<string, unknown>) => createIdentity(testAudience, changes)
  const cases: [
    identity: { token: string } | undefined,
    auth: string | undefined,
    reason: string,
  ][] = [
    [undefined, '', 'JWT Token is missing'],
    [undefined, 'garbage', 'JWT Token is malformed'],
    [{ token: `${token({}).token}A` }, undefined, 'JWT Token signature is not valid'],
    [createIdentity('wss://relay.elsewhere'), undefined, 'JWT Token audience is not this relay'],
    [token({ iat: now + 200 }), undefined, 'JWT Token is not yet valid: basic.iat:'],
    [token({ exp: now - 200 }), undefined, 'JWT Token is expired: basic.exp:'],
  ]
  for (const [identity, auth, reason] of cases) {
    const given = { ...(identity && { identity }) }
    const query = { ...(auth !== undefined && { auth }) }
    const texts = expect.stringMatching(`^JWT validation error: ${reason}`)
    expect(await refusalOf(url, { ...given, query: { ...query, ...onClose } })).toEqual({
      code: 3000,
      reason: texts,
    })
    expect(await refusalOf(url, { ...given, query })).toEqual({ status: 401, reason: texts })
  }
})

test('error: no project at all', async () => {
  const { url } = await start()
  expect(await refusalOf(url, { query: { projectId: '', ...onClose } })).toEqual({
    code: 3000,
    reason: 'Unauthorized: invalid key',
  })
  expect((await refusalOf(url, { query: { projectId: '' } })).status).toBe(400)
})

test('param: projects: each lets in its own origins and apps alone', async () => {
  const server = await startTestServer({ RELAY_AUDIENCES: testAudience })
  ends.push(server.stop)
  const { url, services } = server
  const own = {
    id: 'shop',
    name: 'Shop',
    allowedOrigins: ['https://*.shop.example', 'com.shop.app'],
  }
  await addProject(services.db, own)
  await addProject(services.db, { id: 'open', name: 'Open', allowedOrigins: [] })
  const ask = (projectId: string, origin?: string, query: Record<string, string> = onClose) =>
    refusalOf(url, { query: { projectId, ...query }, ...(origin && { options: { origin } }) })
  const invalid = { code: 3000, reason: 'Unauthorized: invalid key' }
  const foreign = { code: 3000, reason: 'Unauthorized: origin not allowed' }
  expect(await ask('nobody')).toEqual(invalid)
  expect((await ask('nobody', undefined, {})).status).toBe(401)
  expect(await ask('shop', 'https://evil.example')).toEqual(foreign)
  expect((await ask('shop', 'https://evil.example', {})).status).toBe(403)
  expect(await ask('shop', undefined, { ...onClose, bundleId: 'com.evil.app' })).toEqual(foreign)
  expect(await ask('shop', undefined, { ...onClose, packageName: 'com.evil' })).toEqual(foreign)
  for (const [projectId, origin, query] of [
    ['shop', 'https://www.shop.example', {}],
    ['shop', 'http://localhost:5173', {}],
    ['shop', undefined, { bundleId: 'com.Shop.app' }],
    ['shop', undefined, { packageName: 'com.shop.app' }],
    ['open', 'https://evil.example', {}],
  ] as const) {
    const options = origin ? { origin } : {}
    const client = await openRelaySocket(url, { query: { projectId, ...query }, options })
    client.socket.close()
  }
})

test('behavior: shutting down finishes, closes with 1001 and accepts no new clients', async () => {
  const { url, stop, open } = await start()
  const client = await open()
  expect(await client.call('irn_publish', { topic, message: '1', ttl: 300 })).toBe(true)
  await stop()
  expect(await client.closed).toBe(1001)
  await expect(openRelaySocket(url)).rejects.toThrow('ECONNREFUSED')
})

test('behavior: all clients are pinged, and clients that do not answer are dropped', async () => {
  const { clock, tick, open } = await start()
  const alive = await open()
  const dead = await open({ options: { autoPong: false } })
  for (const client of [alive, dead]) await client.call('irn_subscribe', { topic })
  for (let round = 0; round < 3; round++) {
    const pinged = new Promise((resolve) => alive.socket.once('ping', resolve))
    clock.nowMs += 15_000
    await tick()
    await pinged
    // The pong is sent before the next request.
    await alive.call('irn_subscribe', { topic })
  }
  expect(await dead.closed).toBe(1006)
  expect(alive.socket.readyState).toBe(alive.socket.OPEN)
})

test('behavior: a client without subscriptions and messages is closed with 4008', async () => {
  const { clock, tick, open } = await start({ RELAY_IDLE_SECONDS: '60' })
  const [idle, hears, says] = [await open(), await open(), await open()]
  await hears.call('irn_subscribe', { topic })
  for (let round = 0; round < 4; round++) {
    clock.nowMs += 14_000
    await says.call('irn_unsubscribe', { topic, id: '' })
    await tick()
  }
  clock.nowMs += 4_000
  await tick()
  expect(await idle.closed).toBe(4008)
  expect(await hears.call('irn_unsubscribe', { topic, id: '' })).toBe(true)
  expect(await says.call('irn_unsubscribe', { topic, id: '' })).toBe(true)
})

test('error: too many frames on one socket, of one client, of one project', async () => {
  const env = { RELAY_RATE_BURST: '3', RELAY_RATE_PER_SECOND: '1' }
  const speak = async (client: Awaited<ReturnType<typeof openRelaySocket>>, frames: number) => {
    for (let frame = 0; frame < frames; frame++) await client.call('irn_subscribe', { topic })
  }
  const one = await start(env)
  const flooding = await one.open()
  await speak(flooding, 3)
  flooding.socket.send('{}')
  expect(await flooding.closed).toBe(1013)
  expect(await one.metrics()).toContain('latchkey_relay_refusals_total{reason="too_many_frames"} 1')

  const identity = createIdentity()
  const twin = await start({ ...env, RELAY_RATE_CLIENT_FACTOR: '1' })
  const [first, second] = [await twin.open({ identity }), await twin.open({ identity })]
  await speak(first, 3)
  second.socket.send('{}')
  expect(await second.closed).toBe(1013)
  twin.clock.nowMs += 1_000
  await speak(first, 1)

  const crowd = await start({ ...env, RELAY_RATE_PROJECT_FACTOR: '1' })
  const [mine, yours] = [await crowd.open(), await crowd.open()]
  await speak(mine, 3)
  yours.socket.send('{}')
  expect(await yours.closed).toBe(1013)
  await speak(await crowd.open({ query: { projectId: 'another' } }), 1)
})

test('error: too many sockets of one client, project, address, and in all', async () => {
  const identity = createIdentity()
  for (const name of ['_PER_CLIENT', '_PER_PROJECT', '_PER_ADDRESS', '']) {
    const { url, open, metrics } = await start({ [`RELAY_SOCKETS${name}`]: '1' })
    const first = await open({ identity })
    const full = { status: 429, reason: 'Too many sockets are open' }
    expect(await refusalOf(url, { identity, query: onClose })).toEqual(full)
    expect(await metrics()).toContain('latchkey_relay_refusals_total{reason="too_many_sockets"} 1')
    const gone = first.closed
    first.socket.close()
    await gone
    await expect.poll(metrics).toContain('latchkey_relay_sockets 0')
    await open({ identity })
  }
})

test('behavior: if all sockets are used, a new one displaces the oldest of the address with the most', async () => {
  const { url, open } = await start({ RELAY_SOCKETS: '4' })
  const from = (localAddress: string) => open({ options: { localAddress } })
  const greedy = [await from('127.0.0.2'), await from('127.0.0.2'), await from('127.0.0.2')]
  await from('127.0.0.3')
  const newcomer = await from('127.0.0.4')
  expect(await greedy[0]?.closed).toBe(1006)
  expect(await newcomer.call('irn_subscribe', { topic })).toMatch(/^[0-9a-f]{64}$/)
  expect(greedy.map(({ socket }) => socket.readyState)).toEqual([3, 1, 1])
  // No other address has more sockets than this client would have.
  const options = { localAddress: '127.0.0.4' }
  expect(await refusalOf(url, { options, query: onClose })).toMatchObject({ status: 429 })
})

test('error: a message of which a few bytes arrive now and then, behind others: its socket ends', async () => {
  const { open, clock, tick } = await start()
  const [slow, honest] = [await open(), await open()]
  for (const one of [slow, honest]) await one.call('irn_subscribe', { topic })
  const message = Buffer.from('{"id":1,"jsonrpc":"2.0","method":"irn_subscribe","params":{}}')
  slow.socket.send(message)
  slow.socket.send('x', { fin: false })
  slow.socket.send('x', { fin: false })
  const look = async () => {
    clock.nowMs += 1_000
    await tick()
    return slow.socket.readyState
  }
  await expect.poll(look, { timeout: 20_000, interval: 20 }).toBe(slow.socket.CLOSED)
  expect(honest.socket.readyState).toBe(honest.socket.OPEN)
})

test('error: binary messages cost as much as their bytes', async () => {
  const { open } = await start({ RELAY_RATE_BURST: '20', RELAY_RATE_PER_SECOND: '1' })
  const client = await open()
  for (let sent = 0; sent < 2; sent++) client.socket.send(Buffer.alloc(1_048_576))
  expect(await client.closed).toBe(1013)
})

test('error: too many subscriptions of one project; leaving makes room', async () => {
  const { open } = await start({ RELAY_SUBSCRIPTIONS_PER_PROJECT: '2' })
  const [mine, yours] = [await open(), await open()]
  expect(await mine.call('irn_batchSubscribe', { topics: [topic, other] })).toHaveLength(2)
  expect(await mine.call('irn_subscribe', { topic })).toHaveLength(64)
  expect(await yours.call('irn_subscribe', { topic })).toBe('SubscriberLimitExceeded')
  const stranger = await open({ query: { projectId: 'another' } })
  expect(await stranger.call('irn_subscribe', { topic })).toHaveLength(64)
  expect(await mine.call('irn_unsubscribe', { topic, id: '' })).toBe(true)
  expect(await yours.call('irn_subscribe', { topic })).toHaveLength(64)
})

test('error: the mailbox of one client is full until its messages expire or are received', async () => {
  const { open, clock, tick } = await start({ RELAY_MAILBOX_BYTES_PER_CLIENT: '4096' })
  const [mine, yours] = [await open(), await open()]
  const message = 'x'.repeat(1500)
  const publish = (client: typeof mine, letter: string) =>
    client.call('irn_publish', { topic, message: message + letter, ttl: 60, tag: 1108 })
  expect(await publish(mine, 'a')).toBe(true)
  expect(await publish(mine, 'b')).toBe('MailboxLimitExceeded')
  expect(await publish(yours, 'c')).toBe(true)
  clock.nowMs += 121_000
  await tick()
  expect(await publish(mine, 'b')).toBe(true)
  expect(await publish(mine, 'd')).toBe('MailboxLimitExceeded')
  await yours.call('irn_fetchMessages', { topic })
  expect(await publish(mine, 'd')).toBe(true)
})
