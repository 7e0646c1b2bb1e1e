import { afterEach, expect, test } from 'vitest'
import { calm, relayUrl, setUp } from '../../test/testingClients.ts'
import { generateKey, generateKeyPair, getTopic, sealEnvelope } from '../crypto/crypto.ts'
import { formatPairingUri } from '../session/uri.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

/** A wallet that receives a sign-in request from a malicious app. */
async function askAs({
  publicKey,
  expiryTimestamp,
}: {
  publicKey: string
  expiryTimestamp: number
}) {
  world = setUp()
  const wallet = await world.wallet()
  const key = generateKey()
  const topic = getTopic(key)
  const methods = ['wc_sessionAuthenticate']
  await wallet.pair(
    formatPairingUri({ topic, symKey: key, relayProtocol: 'irn', relayUrl, methods }),
  )
  const params = {
    authPayload: {
      domain: 'app.test',
      aud: 'https://app.test',
      version: '1',
      nonce: 'a1b2c3d4',
      iat: '2023-11-14T22:13:20.000Z',
      chains: ['eip155:1'],
    },
    requester: { publicKey, metadata: { name: 'app' } },
    expiryTimestamp,
  }
  const rpc = { id: 1, jsonrpc: '2.0', method: 'wc_sessionAuthenticate', params }
  const message = sealEnvelope(JSON.stringify(rpc), { type: 0, key })
  await world.deliver({ topic, message, tag: 1116, publishedAtMs: world.clock.nowMs })
  return wallet
}

test('behavior: a sign-in that cannot be answered is still refused', async () => {
  const wallet = await askAs({ publicKey: '0'.repeat(64), expiryTimestamp: 9_000_000_000 })
  await wallet.rejectAuthenticate(1).catch(() => {})
  await calm()
  expect(wallet.authRequests()).toEqual([])
})

test('param: expiryTimestamp is a week away at most', async () => {
  const { publicKey } = await generateKeyPair()
  const wallet = await askAs({ publicKey, expiryTimestamp: 9_000_000_000 })
  expect(wallet.authRequests()).toMatchObject([{ expirySeconds: 1_700_000_000 + 604_800 }])
})
