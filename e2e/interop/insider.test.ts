import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account, chainId, moreNamespaces, namespaces } from './eip155.ts'
import { heardDuring, newId, nothing, overhear, rpc } from './overhear.ts'

test('behavior: another holder of the key cannot answer requests that were not made', async () => {
  const it = await overhear()
  const { topic, attacker, seal, dapp, wallet } = it
  const asked = wallet.next('session_request')
  const answer = dapp.request(topic, 'personal_sign', ['0x00'])
  const { id } = await asked
  const ids = [id + 1, id - 1, 0, -id, 1.5, 1e300, null, String(id + 1), '', {}, [id], true]
  for (const wrong of ids)
    for (const rest of [{ result: '0xbad' }, { error: { code: 1, message: 'bad' } }])
      await attacker.publish(topic, seal(rpc(wrong, rest)), 1109)
  for (const rest of [
    { result: '0xbad', error: { code: 1, message: 'bad' } },
    { error: 'bad' },
    { error: { code: 'x' } },
    {},
  ])
    await attacker.publish(topic, seal(rpc(id, rest)), 1109)
  await wallet.respond(topic, id, { result: '0x01' })
  expect(await answer).toBe('0x01')
})

test('behavior: another holder of the key cannot act as the controller towards the controller', async () => {
  const it = await overhear()
  const { topic, attacker, seal, wallet } = it
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
      await attacker.publish(topic, seal(rpc(newId(), { method, params })))
  })
  expect(heard.wallet).toEqual(nothing.wallet)
  expect(wallet.sessions()).toEqual(before)
})

test('behavior: another holder of the key is limited to the approved namespaces', async () => {
  const it = await overhear()
  const { topic, attacker, seal, dapp } = it
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
      await attacker.publish(topic, seal(rpc(newId(), { method, params })))
  })
  expect(heard).toEqual(nothing)
  expect(dapp.sessions()).toEqual(before)
})

test('behavior: an update older than the last update is ignored', async () => {
  const it = await overhear()
  const { topic, attacker, seal, dapp, wallet } = it
  const earlier = newId() - 1_000_000
  const updated = dapp.next('session_update')
  await wallet.update(topic, moreNamespaces)
  await updated
  const heard = await heardDuring(it, async () => {
    const params = { namespaces }
    await attacker.publish(topic, seal(rpc(earlier, { method: 'wc_sessionUpdate', params })), 1104)
  })
  expect(heard).toEqual(nothing)
  expect(dapp.sessions()).toMatchObject([{ namespaces: moreNamespaces }])
})

test('behavior: any JSON under the right key breaks nothing', async () => {
  const it = await overhear()
  const { topic, attacker, seal } = it
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
    for (const message of fc.sample(frame, 150)) await attacker.publish(topic, seal(message))
  })
  // These two frames contain only their name, so they may be among the frames.
  const harmless = ['session_ping', 'session_extend']
  const beyond = (names: readonly string[]) => names.filter((name) => !harmless.includes(name))
  expect({ dapp: beyond(heard.dapp), wallet: beyond(heard.wallet) }).toEqual(nothing)
  expect(namespacesHeld()).toEqual(before)
})
