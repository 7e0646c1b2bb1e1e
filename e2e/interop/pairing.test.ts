import { deriveKey, generateKeyPair, getTopic, openEnvelope } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { type Attacker, createAttacker } from './attacker.ts'
import { namespaces } from './eip155.ts'
import { createOurDapp, createOurWallet } from './latchkeyClient.ts'
import { askOnce, newId, rpc, sealJson } from './overhear.ts'
import { metadataOf } from './parties.ts'
import { startRelay } from './startRelay.ts'

test('behavior: an invalid response to a proposal does not end it', async () => {
  const relay = await startRelay()
  const dapp = await createOurDapp({ relayUrl: relay.url, name: 'dapp' })
  const wallet = await createOurWallet({ relayUrl: relay.url, name: 'wallet' })
  const attacker = await createAttacker(relay.url)
  const { uri, approval } = await dapp.connect()
  const [, pairingTopic = '', key = ''] = /^wc:(\w+)@2.*symKey=(\w+)/.exec(uri) ?? []
  await attacker.call('irn_subscribe', { topic: pairingTopic })
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
    await attacker.publish(pairingTopic, sealJson(answer, key), 1101)
  // The response of another wallet does not block the wallet that the user chose.
  await attacker.publish(pairingTopic, sealJson(rpc(id, { result: agreed }), key), 1101)
  const atWallet = await wallet.approve(id)
  expect((await approval).topic).toBe(atWallet.topic)
  await askOnce(dapp, wallet, atWallet.topic)
})

test('error: a settlement that uses another key, is empty or has expired is refused', async () => {
  const relay = await startRelay()
  const dapp = await createOurDapp({ relayUrl: relay.url, name: 'dapp' })
  const attacker = await createAttacker(relay.url)
  const other = await generateKeyPair()
  const soon = Math.floor(Date.now() / 1000) + 86_400
  const settle = async (change: object) => {
    const { uri, approval } = await dapp.connect()
    return { approval, topic: await approveByHand(attacker, uri, change) }
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
  // Without a fault, the settlement is valid.
  const { approval, topic } = await settle({ namespaces, expiry: soon })
  expect((await approval).topic).toBe(topic)
})

/** Approves like a wallet, with `change` to its settlement. Returns the session's topic. */
async function approveByHand(attacker: Attacker, uri: string, change: object) {
  const [, pairingTopic = '', pairingKey = ''] = /^wc:(\w+)@2.*symKey=(\w+)/.exec(uri) ?? []
  await attacker.call('irn_subscribe', { topic: pairingTopic })
  const find = () => attacker.heard.find(({ topic }) => topic === pairingTopic)
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
  await attacker.publish(getTopic(key), sealJson(settlement, key), 1102)
  await attacker.publish(pairingTopic, sealJson(response, pairingKey), 1101)
  return getTopic(key)
}
