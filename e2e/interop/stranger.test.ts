import {
  type ClientStorage,
  deriveKey,
  generateIdentity,
  generateKey,
  generateKeyPair,
  openEnvelope,
  sealEnvelope,
  signRelayToken,
  topicOf,
} from '@latchkey/walletconnect'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { account, chainId, moreNamespaces, namespaces } from './eip155.ts'
import { createMemoryStorage, createOurDapp, createOurWallet } from './ours.ts'
import { type DappParty, metadataOf, type WalletParty } from './parties.ts'
import { answerNext, openSession } from './setUp.ts'
import { startRelay } from './startRelay.ts'
import { addressOf, createStranger, type Stranger } from './stranger.ts'

/** A session of ours, and a stranger who listens to it; `seal` is what one could write who knows its key. */
async function setUp() {
  const relay = await startRelay()
  const storage = { dapp: createMemoryStorage(), wallet: createMemoryStorage() }
  const start = { relayUrl: relay.url }
  const dapp = await createOurDapp({ ...start, name: 'dapp', storage: storage.dapp })
  const wallet = await createOurWallet({ ...start, name: 'wallet', storage: storage.wallet })
  const { topic } = await openSession(dapp, wallet)
  const stranger = await createStranger(relay.url)
  await stranger.call('irn_subscribe', { topic })
  const key = keyOf(storage.dapp, topic)
  const seal = (message: unknown) => sealJson(message, key)
  return { relay, dapp, wallet, topic, stranger, seal, storage }
}

function keyOf(storage: ClientStorage, topic: string): string {
  for (const name of storage.keys())
    for (const [, key = ''] of (storage.get(name) ?? '').matchAll(/"key":"([0-9a-f]{64})"/g))
      if (topicOf(key) === topic) return key
  throw new Error('The key is not where it was')
}

/** A request goes there and its answer back, after all that was published before. */
async function askOnce(dapp: DappParty, wallet: WalletParty, topic: string) {
  const asked = answerNext(wallet, { result: '0x01' })
  expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
  expect((await asked).params).toEqual(['0x00'])
}

/** What is told around `work`, beyond the one request that proves the session still works. */
async function heardDuring(
  { dapp, wallet, topic }: { dapp: DappParty; wallet: WalletParty; topic: string },
  work: () => Promise<void>,
) {
  const [atDapp, atWallet] = [dapp.heard.length, wallet.heard.length]
  await work()
  await askOnce(dapp, wallet, topic)
  return {
    dapp: dapp.heard.slice(atDapp).filter((name) => name !== 'session_request_sent'),
    wallet: wallet.heard.slice(atWallet),
  }
}

const sealJson = (message: unknown, key: string) =>
  sealEnvelope(JSON.stringify(message), { type: 0, key })
const nothing = { dapp: [], wallet: ['session_request'] }
const rpc = (id: unknown, rest: object) => ({ id, jsonrpc: '2.0', ...rest })
const newId = () => Date.now() * 1000 + Math.floor(Math.random() * 1000)

test('behavior: who knows the topic alone changes nothing', async () => {
  const it = await setUp()
  const { topic, stranger, dapp, wallet } = it
  await askOnce(dapp, wallet, topic)
  const genuine = stranger.heard.map(({ message }) => message)
  expect(genuine.length).toBeGreaterThan(1)
  const other = generateKey()
  const request = JSON.stringify(
    rpc(newId(), { method: 'wc_sessionDelete', params: { code: 6000, message: 'Bye' } }),
  )
  const message = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    fc.base64String({ minLength: 4 }),
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc
      .tuple(fc.constantFrom(...genuine), fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([text, at, mask]) => flip(text, at, mask)),
    fc
      .tuple(fc.constantFrom(...genuine), fc.nat())
      .map(([text, length]) => text.slice(0, 1 + (length % (text.length - 1)))),
    fc.constantFrom(...genuine).map((text) => `${text}${text}`),
    fc.constant(0).map(() => sealEnvelope(request, { type: 0, key: other })),
    fc
      .constant(0)
      .map(() => sealEnvelope(request, { type: 1, key: other, senderPublicKey: other })),
    fc.constant(sealEnvelope(request, { type: 2 })),
  )
  const messages = fc.sample(message, 150)
  const heard = await heardDuring(it, async () => {
    for (const text of messages) await stranger.publish(topic, text)
  })
  expect(heard).toEqual(nothing)
})

function flip(text: string, at: number, mask: number): string {
  const bytes = Buffer.from(text, 'base64')
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ mask
  return bytes.toString('base64')
}

test('behavior: what was said once is not heard again, in whichever order it comes back', async () => {
  const it = await setUp()
  const { relay, topic, dapp, wallet } = it
  await askOnce(dapp, wallet, topic)
  await wallet.update(topic, moreNamespaces)
  await wallet.emit(topic, 'chainChanged', 1)
  await wallet.update(topic, namespaces)
  await askOnce(dapp, wallet, topic)
  const said = it.stranger.heard.map(({ message, tag }) => ({ message, tag }))

  // The relay would not deliver a text twice; one that has forgotten it does.
  await relay.restart()
  const heard = await heardDuring(it, async () => {
    const stranger = await createStranger(relay.url)
    for (const { message, tag } of [...said].reverse()) await stranger.publish(topic, message, tag)
  })
  expect(heard).toEqual(nothing)
  for (const party of [dapp, wallet]) expect(party.sessions()).toMatchObject([{ namespaces }])
})

test('behavior: what belongs to another topic is not heard', async () => {
  const it = await setUp()
  const { dapp, wallet, topic, stranger } = it
  await askOnce(dapp, wallet, topic)
  const other = await openSession(dapp, wallet)
  const heard = await heardDuring({ dapp, wallet, topic: other.topic }, async () => {
    for (const { message, tag } of [...stranger.heard])
      await stranger.publish(other.topic, message, tag)
  })
  expect(heard).toEqual(nothing)
})

test('behavior: sizes up to the largest are carried and ignored, larger ones refused', async () => {
  const it = await setUp()
  const heard = await heardDuring(it, async () => {
    const { stranger, topic } = it
    expect(await stranger.publish(topic, 'A'.repeat(900_000))).toMatchObject({ result: true })
    const { error } = await stranger.publish(topic, 'A'.repeat(1_100_000))
    expect(error).toMatchObject({ data: 'PayloadSizeExceeded' })
    void stranger.publish(topic, 'A'.repeat(5_000_000))
    await stranger.closed
  })
  expect(heard).toEqual(nothing)
})

test('behavior: who knows the key too cannot answer for what was not asked', async () => {
  const it = await setUp()
  const { topic, stranger, seal, dapp, wallet } = it
  const asked = wallet.next('session_request')
  const answer = dapp.request(topic, 'personal_sign', ['0x00'])
  const { id } = await asked
  const ids = [id + 1, id - 1, 0, -id, 1.5, 1e300, null, String(id + 1), '', {}, [id], true]
  for (const wrong of ids)
    for (const rest of [{ result: '0xbad' }, { error: { code: 1, message: 'bad' } }])
      await stranger.publish(topic, seal(rpc(wrong, rest)), 1109)
  for (const rest of [
    { result: '0xbad', error: { code: 1, message: 'bad' } },
    { error: 'bad' },
    { error: { code: 'x' } },
    {},
  ])
    await stranger.publish(topic, seal(rpc(id, rest)), 1109)
  await wallet.respond(topic, id, { result: '0x01' })
  expect(await answer).toBe('0x01')
})

test('behavior: who knows the key too cannot speak for the controller to the controller', async () => {
  const it = await setUp()
  const { topic, stranger, seal, wallet } = it
  const before = wallet.sessions()
  const relay = { protocol: 'irn' }
  const controller = { publicKey: 'ab'.repeat(32), metadata: { name: 'x' } }
  const expiry = Math.floor(Date.now() / 1000) + 86_400
  const heard = await heardDuring(it, async () => {
    for (const [method, params] of [
      ['wc_sessionUpdate', { namespaces: moreNamespaces }],
      ['wc_sessionExtend', { expiry }],
      ['wc_sessionExtend', {}],
      ['wc_sessionEvent', { chainId, event: { name: 'chainChanged', data: 1 } }],
      ['wc_sessionSettle', { relay, namespaces: moreNamespaces, controller, expiry }],
      ['wc_sessionPropose', { relays: [relay], proposer: controller, optionalNamespaces: {} }],
      ['wc_pairingDelete', { code: 6000, message: 'Bye' }],
      [
        'wc_sessionRequest',
        { chainId: 'eip155:1', request: { method: 'personal_sign', params: [] } },
      ],
      ['wc_sessionRequest', { chainId, request: { method: 'eth_sign', params: [] } }],
      [
        'wc_sessionRequest',
        { chainId, request: { method: 'personal_sign', params: [], expiryTimestamp: 1 } },
      ],
      ['wc_unknown', {}],
      ['__proto__', {}],
      ['toString', {}],
    ] as const)
      await stranger.publish(topic, seal(rpc(newId(), { method, params })))
  })
  expect(heard.wallet).toEqual(nothing.wallet)
  expect(wallet.sessions()).toEqual(before)
})

test('behavior: who knows the key too is held to what was approved', async () => {
  const it = await setUp()
  const { topic, stranger, seal, dapp } = it
  const before = dapp.sessions()
  const week = 7 * 86_400
  const nowSeconds = Math.floor(Date.now() / 1000)
  const broken = (change: object) => ({ eip155: { ...namespaces.eip155, ...change } })
  const heard = await heardDuring(it, async () => {
    for (const [method, params] of [
      ['wc_sessionUpdate', { namespaces: {} }],
      ['wc_sessionUpdate', { namespaces: [] }],
      ['wc_sessionUpdate', { namespaces: { eip155: {} } }],
      ['wc_sessionUpdate', { namespaces: broken({ accounts: ['eip155:1'] }) }],
      ['wc_sessionUpdate', { namespaces: broken({ accounts: [`solana:1:${account.address}`] }) }],
      ['wc_sessionUpdate', { namespaces: broken({ methods: [1] }) }],
      ['wc_sessionExtend', { expiry: nowSeconds + 2 * week }],
      ['wc_sessionExtend', { expiry: nowSeconds - 1 }],
      ['wc_sessionExtend', { expiry: 'never' }],
      ['wc_sessionEvent', { chainId, event: { name: 'notApproved', data: 1 } }],
      ['wc_sessionEvent', { chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } }],
      ['wc_sessionEvent', { chainId, event: { data: 1 } }],
      ['wc_sessionRequest', { chainId, request: { method: 'eth_sign', params: [] } }],
      ['wc_sessionSettle', { namespaces: moreNamespaces }],
    ] as const)
      await stranger.publish(topic, seal(rpc(newId(), { method, params })))
  })
  expect(heard).toEqual(nothing)
  expect(dapp.sessions()).toEqual(before)
})

test('behavior: an update older than the last one is not taken', async () => {
  const it = await setUp()
  const { topic, stranger, seal, dapp, wallet } = it
  const earlier = newId() - 1_000_000
  const updated = dapp.next('session_update')
  await wallet.update(topic, moreNamespaces)
  await updated
  const heard = await heardDuring(it, async () => {
    const params = { namespaces }
    await stranger.publish(topic, seal(rpc(earlier, { method: 'wc_sessionUpdate', params })), 1104)
  })
  expect(heard).toEqual(nothing)
  expect(dapp.sessions()).toMatchObject([{ namespaces: moreNamespaces }])
})

test('behavior: any JSON under the right key breaks nothing', async () => {
  const it = await setUp()
  const { topic, stranger, seal } = it
  const method = fc.constantFrom(
    'wc_sessionPropose',
    'wc_sessionSettle',
    'wc_sessionUpdate',
    'wc_sessionExtend',
    'wc_sessionRequest',
    'wc_sessionEvent',
    'wc_sessionPing',
    'wc_sessionAuthenticate',
    'wc_pairingPing',
  )
  const frame = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.jsonValue(), method, fc.jsonValue())
      .map(([id, method, params]) => rpc(id, { method, params })),
    fc
      .tuple(fc.nat(), method, fc.jsonValue())
      .map(([id, method, params]) => rpc(newId() + id, { method, params })),
    fc.tuple(fc.nat(), fc.jsonValue()).map(([id, result]) => rpc(newId() + id, { result })),
    fc.tuple(fc.nat(), fc.jsonValue()).map(([id, error]) => rpc(newId() + id, { error })),
  )
  const namespacesHeld = () => [it.dapp, it.wallet].map((party) => party.sessions()[0]?.namespaces)
  const before = namespacesHeld()
  const heard = await heardDuring(it, async () => {
    for (const message of fc.sample(frame, 150)) await stranger.publish(topic, seal(message))
  })
  // These two say nothing but their name, so they may well be among the frames.
  const harmless = ['session_ping', 'session_extend']
  const beyond = (names: readonly string[]) => names.filter((name) => !harmless.includes(name))
  expect({ dapp: beyond(heard.dapp), wallet: beyond(heard.wallet) }).toEqual(nothing)
  expect(namespacesHeld()).toEqual(before)
})

test('behavior: nonsense in answer to a proposal does not spoil it', async () => {
  const relay = await startRelay()
  const dapp = await createOurDapp({ relayUrl: relay.url, name: 'dapp' })
  const wallet = await createOurWallet({ relayUrl: relay.url, name: 'wallet' })
  const stranger = await createStranger(relay.url)
  const { uri, approval } = await dapp.connect()
  const [, pairingTopic = '', key = ''] = /^wc:(\w+)@2.*symKey=(\w+)/.exec(uri) ?? []
  await stranger.call('irn_subscribe', { topic: pairingTopic })
  const seal = (message: unknown) => sealJson(message, key)
  const told = wallet.next('session_proposal')
  await wallet.pair(uri)
  const { id } = await told
  const { publicKey } = await generateKeyPair()
  const agreed = { relay: { protocol: 'irn' }, responderPublicKey: publicKey }
  for (const answer of [
    rpc(id + 1, { result: agreed }),
    rpc(id + 1, { error: { code: 5000, message: 'No' } }),
    rpc(String(id + 1), { result: true }),
    rpc(id, { error: 'No' }),
    rpc(id, {}),
    rpc(newId(), { method: 'wc_sessionSettle', params: {} }),
  ])
    await stranger.publish(pairingTopic, seal(answer), 1101)
  // Somebody else's answer does not keep out the one whom the person chose.
  await stranger.publish(pairingTopic, seal(rpc(id, { result: agreed })), 1101)
  const atWallet = await wallet.approve(id)
  expect((await approval).topic).toBe(atWallet.topic)
  await askOnce(dapp, wallet, atWallet.topic)
})

test('error: a settlement by another key, of nothing, or of the past is refused', async () => {
  const relay = await startRelay()
  const dapp = await createOurDapp({ relayUrl: relay.url, name: 'dapp' })
  const stranger = await createStranger(relay.url)
  const other = await generateKeyPair()
  const soon = Math.floor(Date.now() / 1000) + 86_400
  const settle = async (change: object) => {
    const { uri, approval } = await dapp.connect()
    return { approval, topic: await approveByHand(stranger, uri, change) }
  }
  for (const wrong of [
    { controller: { publicKey: other.publicKey, metadata: metadataOf('wallet') } },
    { namespaces: {} },
    { namespaces: { eip155: { accounts: [], methods: 1, events: [] } } },
    { expiry: 1 },
    { expiry: 'never' },
    { controller: undefined },
  ]) {
    const { approval } = await settle({ namespaces, expiry: soon, ...wrong })
    await expect(approval).rejects.toMatchObject({ code: 'SESSION_REJECTED' })
  }
  expect(dapp.sessions()).toEqual([])
  // With nothing wrong it is one.
  const { approval, topic } = await settle({ namespaces, expiry: soon })
  expect((await approval).topic).toBe(topic)
})

/** Does what a wallet does to approve, with `change` to its settlement; gives the session's topic. */
async function approveByHand(stranger: Stranger, uri: string, change: object) {
  const [, pairingTopic = '', pairingKey = ''] = /^wc:(\w+)@2.*symKey=(\w+)/.exec(uri) ?? []
  await stranger.call('irn_subscribe', { topic: pairingTopic })
  const find = () => stranger.heard.find(({ topic }) => topic === pairingTopic)
  await expect.poll(find).toBeDefined()
  const text = openEnvelope(find()?.message ?? '', { type: 0, key: pairingKey })
  const proposal = JSON.parse(text) as { id: number; params: { proposer: { publicKey: string } } }
  const { publicKey, privateKey } = await generateKeyPair()
  const key = await deriveKey(privateKey, proposal.params.proposer.publicKey)
  const relay = { protocol: 'irn' }
  const controller = { publicKey, metadata: metadataOf('wallet') }
  const params = { relay, controller, ...change }
  const settlement = rpc(newId(), { method: 'wc_sessionSettle', params })
  const response = rpc(proposal.id, { result: { relay, responderPublicKey: publicKey } })
  await stranger.publish(topicOf(key), sealJson(settlement, key), 1102)
  await stranger.publish(pairingTopic, sealJson(response, pairingKey), 1101)
  return topicOf(key)
}

test('error: tokens that are not for now, not for here, or not signed', async () => {
  const relay = await startRelay()
  const identity = await generateIdentity()
  const other = await generateIdentity()
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: '00'.repeat(32), aud: relay.url, iat }
  const sign = (change: object, by = identity) => signRelayToken(by, { ...claims, ...change })
  const good = await sign({})
  const [head, body, signature] = good.split('.')
  const [, , forged] = (await sign({}, other)).split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const refused = (reason: string) => [`3000 JWT validation error: JWT Token ${reason}`, 401]
  const malformed = refused('is malformed')
  const tokens = {
    good: [good, ['open', 'open']],
    foreign: [await sign({ aud: 'wss://relay.example' }), refused('audience is not this relay')],
    expired: [await sign({ iat: iat - 86_400 - 180 }), refused('is expired')],
    future: [await sign({ iat: iat + 180 }), refused('is not yet valid')],
    forged: [`${head}.${body}.${forged}`, refused('signature is not valid')],
    truncated: [good.slice(0, -1), refused('signature is not valid')],
    unsigned: [`${none}.${body}.`, malformed],
    'without a part': [`${head}.${signature}`, malformed],
    endless: [`${head}.${body}.${signature}${'A'.repeat(8_000)}`, malformed],
    empty: ['', refused('is missing')],
  } as const
  for (const [name, [token, met]] of Object.entries(tokens))
    expect([name, await knock(relay.url, token)]).toEqual([name, met])
})

/** How the relay meets a token: open, or the close code with its reason but for the times; and the status without `useOnCloseEvent`. */
async function knock(relayUrl: string, token: string) {
  const closing = new WebSocket(addressOf(relayUrl, token))
  const met = await new Promise<string>((resolve) => {
    closing.on('close', (code, reason) =>
      resolve(`${code} ${String(reason).replace(/: basic.*/, '')}`),
    )
    closing.on('error', (error) => resolve(error.message))
    closing.on('message', () => resolve('open'))
    closing.on('open', () =>
      closing.send(
        JSON.stringify({
          id: 1e15,
          jsonrpc: '2.0',
          method: 'irn_subscribe',
          params: { topic: 'ab'.repeat(32) },
        }),
      ),
    )
  })
  closing.terminate()
  const plain = new WebSocket(addressOf(relayUrl, token, ''))
  const status = await new Promise<string | number>((resolve) => {
    plain.on('open', () => resolve('open'))
    plain.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    plain.on('error', (error) => resolve(error.message))
  })
  plain.terminate()
  return [met, status]
}
