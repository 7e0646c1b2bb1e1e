import { afterEach, expect, test } from 'vitest'
import { calm, relayUrl, setUp, testRequirements } from '../../test/testingClients.ts'
import { generateKey, generateKeyPair, getTopic, sealEnvelope } from '../crypto/crypto.ts'
import { formatPairingUri } from './uri.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

/** An app that writes its own messages, paired with a wallet. */
async function openPairing(wallet: Awaited<ReturnType<ReturnType<typeof setUp>['wallet']>>) {
  const key = generateKey()
  const topic = getTopic(key)
  await wallet.pair(
    formatPairingUri({ topic, symKey: key, relayProtocol: 'irn', relayUrl, methods: [] }),
  )
  const { publicKey } = await generateKeyPair()
  return async (id: number, name: string) => {
    const params = {
      relays: [{ protocol: 'irn' }],
      proposer: { publicKey, metadata: { name } },
      optionalNamespaces: testRequirements,
    }
    const text = JSON.stringify({ id, jsonrpc: '2.0', method: 'wc_sessionPropose', params })
    const message = sealEnvelope(text, { type: 0, key })
    await world.deliver({ topic, message, tag: 1100, publishedAtMs: world.clock.nowMs })
  }
}

test('behavior: two apps with the same id each have their proposal', async () => {
  world = setUp()
  const wallet = await world.wallet()
  const [one, other] = [await openPairing(wallet), await openPairing(wallet)]
  await one(1_700_000_000_000_001, 'first')
  await other(1_700_000_000_000_001, 'second')
  const [first, second] = wallet.proposals()
  expect([first?.proposer.name, second?.proposer.name]).toEqual(['first', 'second'])
  expect(first?.id).toBe(1_700_000_000_000_001)
  await wallet.reject(second?.id ?? 0)
  await calm()
  expect(wallet.proposals().map(({ proposer }) => proposer.name)).toEqual(['first'])
})

test('error: proposals that would fill the storage are refused', async () => {
  world = setUp()
  const wallet = await world.wallet()
  const propose = await openPairing(wallet)
  for (let id = 1; id <= 5; id += 1) await propose(id, 'x'.repeat(150_000))
  expect(wallet.proposals().length).toBeLessThan(5)
})
