import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterEach, expect, test } from 'vitest'
import { calm, next, setUp, testRequirements } from '../../test/testingClients.ts'
import type { AuthRequest, Cacao, Dapp, Wallet } from '../client.ts'
import { bytesFromHex, encodeText } from '../crypto/bytes.ts'
import { formatMessage } from './cacao.ts'
import { formatRecap } from './recap.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

const keys = secp256k1.keygen(new Uint8Array(48).fill(7))
const point = secp256k1.Point.fromBytes(keys.publicKey).toBytes(false).subarray(1)
const address = `0x${bytesToHex(keccak_256(point).subarray(12))}`
const account = `eip155:1:${address}`
const methods = ['personal_sign', 'eth_sendTransaction']

// EIP-191.
const hashOf = (message: string) =>
  keccak_256(encodeText(`\x19Ethereum Signed Message:\n${encodeText(message).length}${message}`))
const sign = (message: string) =>
  `0x${bytesToHex(secp256k1.sign(hashOf(message), keys.secretKey, { prehash: false }))}`
const verify = async (signed: { account: string; message: string; signature: string }) =>
  signed.account.endsWith(address) &&
  secp256k1.verify(
    bytesFromHex(signed.signature.slice(2), 64) ?? new Uint8Array(),
    hashOf(signed.message),
    keys.publicKey,
    { prehash: false },
  )

const payload = {
  chains: ['eip155:1', 'eip155:137'],
  domain: 'app.test',
  aud: 'https://app.test/login',
  nonce: 'a1b2c3d4',
  statement: 'Please sign in.',
}

const ask = (dapp: Dapp, wanted: readonly string[] = methods) =>
  dapp.authenticate({ payload, methods: wanted, optionalNamespaces: testRequirements, verify })

async function scan(wallet: Wallet, uri: string): Promise<AuthRequest> {
  const told = next<{ request: AuthRequest }>((on) => wallet.on('session_authenticate', on))
  await wallet.pair(uri)
  return (await told).request
}

function signed(wallet: Wallet, id: number, chains = payload.chains): Cacao {
  const formatted = wallet.formatAuthMessage(id, { account, chains, methods: ['personal_sign'] })
  return {
    h: { t: 'caip122' },
    p: formatted.payload,
    s: { t: 'eip191', s: sign(formatted.message) },
  }
}

test('default', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, answer } = await ask(dapp)
  expect(uri).toContain('&methods=wc_sessionAuthenticate')
  const request = await scan(wallet, uri)
  expect(request.authPayload).toEqual({
    ...payload,
    type: 'caip122',
    version: '1',
    iat: '2023-11-14T22:13:20.000Z',
    resources: [formatRecap({ methods, chains: [] })],
  })
  const cacao = signed(wallet, request.id)
  expect(
    formatMessage(cacao.p)
      .replace(/urn:recap:.*/, 'urn:recap:…')
      .replace(address, '0x…'),
  ).toMatchInlineSnapshot(`
      "app.test wants you to sign in with your Ethereum account:
      0x…

      Please sign in. I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'personal_sign' for 'eip155'.

      URI: https://app.test/login
      Version: 1
      Chain ID: 1
      Nonce: a1b2c3d4
      Issued At: 2023-11-14T22:13:20.000Z
      Resources:
      - urn:recap:…"
    `)
  const own = await wallet.approveAuthenticate(request.id, [cacao])
  const { cacaos, session } = await answer
  expect(cacaos).toEqual([cacao])
  expect(session?.namespaces).toEqual({
    eip155: {
      chains: payload.chains,
      accounts: [account, account.replace(':1:', ':137:')],
      methods: ['personal_sign'],
      events: ['chainChanged', 'accountsChanged'],
    },
  })
  expect(session?.topic).toBe(own?.topic)
  await Promise.all([dapp.ping(session?.topic ?? ''), wallet.ping(own?.topic ?? '')])
  await calm()
  // The fallback was not shown, and ended with the sign-in.
  expect(wallet.proposals()).toEqual([])
  expect(wallet.authRequests()).toEqual([])
  const left = [...dapp.storage.entries.keys()].filter((key) => /^(offer|pairing|post)\//.test(key))
  expect(left).toEqual([])
  expect(dapp.heard.map(([name]) => name)).toEqual(['session_connect', 'session_ping'])
})

test('default: a wallet may respond for five minutes, and the message that it signs does not expire', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, answer } = await ask(dapp)
  answer.catch(() => {})
  const request = await scan(wallet, uri)
  expect(request.expirySeconds - Date.parse(request.authPayload.iat) / 1_000).toBe(300)
  expect(request.authPayload.exp).toBeUndefined()
})

test('behavior: without methods there is no session', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, answer } = await ask(dapp, [])
  const request = await scan(wallet, uri)
  expect(await wallet.approveAuthenticate(request.id, [signed(wallet, request.id)])).toBeUndefined()
  const { cacaos, session } = await answer
  expect([cacaos.length, session]).toEqual([1, undefined])
  expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
})

test('behavior: a refusal ends the proposal too', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, answer } = await ask(dapp)
  const request = await scan(wallet, uri)
  await wallet.rejectAuthenticate(request.id)
  await expect(answer).rejects.toMatchObject({
    code: 'SESSION_REJECTED',
    cause: { code: 12_001, message: 'User rejected request.' },
  })
  expect(world.relay.published.at(-1)?.tag).toBe(1118)
})

test('error: a wallet cannot respond with anything that was not requested', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri } = await ask(dapp)
  const request = await scan(wallet, uri)
  const right = signed(wallet, request.id)
  const wrong: Partial<Cacao['p']>[] = [
    { domain: 'other.test' },
    { aud: 'https://other.test' },
    { nonce: 'other' },
    { version: '2' },
    { iat: '2020-01-01T00:00:00.000Z' },
    { exp: '2020-01-01T00:00:00.000Z' },
    { statement: 'I give everything away.' },
    { iss: `did:pkh:eip155:5:${address}` },
    { iss: `did:pkh:solana:1:${address}` },
    { resources: [formatRecap({ methods: ['eth_sign'], chains: ['eip155:1'] })] },
    { resources: [formatRecap({ methods: ['personal_sign'], chains: ['eip155:5'] })] },
    { resources: ['https://other.test', ...(right.p.resources ?? [])] },
  ]
  for (const change of wrong)
    await expect(
      wallet.approveAuthenticate(request.id, [right, { ...right, p: { ...right.p, ...change } }]),
      JSON.stringify(change),
    ).rejects.toMatchObject({ code: 'MISSING_OR_INVALID' })
  await expect(wallet.approveAuthenticate(request.id, [])).rejects.toMatchObject({
    code: 'MISSING_OR_INVALID',
  })
  await expect(wallet.approveAuthenticate(1, [right])).rejects.toMatchObject({
    code: 'NO_MATCHING_KEY',
  })
})

test('error: a response with an invalid signature opens no session, on either side', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri, answer } = await ask(dapp)
  const rejected = expect(answer).rejects.toMatchObject({
    code: 'SESSION_REJECTED',
    cause: { code: 11_004 },
  })
  const request = await scan(wallet, uri)
  const cacao = signed(wallet, request.id)
  const forged = { ...cacao, s: { t: 'eip191', s: sign('something else') } }
  await wallet.approveAuthenticate(request.id, [cacao, forged])
  await rejected
  await calm()
  expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
})

test('error: an invalid or aborted sign-in request is not sent', async () => {
  world = setUp()
  const dapp = await world.dapp()
  const parameters = { methods, optionalNamespaces: testRequirements, verify }
  for (const change of [{ chains: [] }, { chains: ['solana:1'] }, { domain: '' }, { nonce: '' }])
    await expect(
      dapp.authenticate({ ...parameters, payload: { ...payload, ...change } }),
    ).rejects.toMatchObject({ code: 'MISSING_OR_INVALID' })
  expect(dapp.storage.entries.has('pairing')).toBe(false)
  await expect(
    dapp.authenticate({ ...parameters, payload, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: 'ABORTED' })
  const stop = new AbortController()
  const { answer } = await dapp.authenticate({ ...parameters, payload, signal: stop.signal })
  stop.abort()
  await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
})

/** A page that is reloaded after the wallet answered the previous page's sign-in. */
async function reloadWhileAnswered() {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { uri } = await ask(dapp)
  const request = await scan(wallet, uri)
  dapp.close()
  await wallet.approveAuthenticate(request.id, [signed(wallet, request.id)])
  return world.dapp(dapp.storage)
}

test('behavior: a page that is loaded again waits on for the sign-in', async () => {
  const again = await reloadWhileAnswered()
  const verified: string[] = []
  await again.continueSignIns(async (one) => {
    verified.push(one.account)
    return verify(one)
  })
  await calm()
  expect(verified).toEqual([account])
  const [session] = again.sessions()
  expect(session?.namespaces.eip155?.methods).toEqual(['personal_sign'])
  await again.ping(session?.topic ?? '')
  expect(again.heard[0]).toMatchObject(['session_connect', { session }])
  const left = [...again.storage.entries.keys()].filter((key) => /^(offer|pairing)\//.test(key))
  expect(left).toEqual([])
})

test('behavior: a response that arrives before the page waits for it is not lost', async () => {
  const again = await reloadWhileAnswered()
  const answer = world.relay.published.findLast(({ tag }) => tag === 1117)
  if (!answer) throw new Error('The wallet has not answered')
  void world.deliver({ ...answer, publishedAtMs: world.clock.nowMs })
  await calm()
  expect(again.sessions()).toEqual([])
  // The relay does not send it again.
  world.clock.nowMs += answer.ttl * 1000
  await again.continueSignIns(verify)
  await calm()
  expect(again.sessions()).toHaveLength(1)
})

test('behavior: the app stops waiting for a withdrawn sign-in, or once its session has arrived otherwise', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const stop = new AbortController()
  const offer = {
    payload,
    methods,
    optionalNamespaces: testRequirements,
    verify,
    signal: stop.signal,
  }
  const { uri, answer } = await dapp.authenticate(offer)
  stop.abort()
  await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
  const request = await scan(wallet, uri)
  await wallet.approveAuthenticate(request.id, [signed(wallet, request.id)])
  dapp.close()
  const again = await world.dapp(dapp.storage)
  await again.continueSignIns(verify)
  await calm()
  expect(again.sessions()).toEqual([])
})
