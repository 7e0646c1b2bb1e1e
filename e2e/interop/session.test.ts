import { describe, expect, test } from 'vitest'
import { chainId, moreNamespaces, namespaces, proposed } from './eip155.ts'
import {
  answerNext,
  openSession,
  ourDappTheirWallet,
  ourPair,
  setUp,
  setUpSession,
  theirDappOurWallet,
  theirPair,
} from './setUp.ts'

const weekSeconds = 7 * 86_400

describe.each([ourDappTheirWallet, theirDappOurWallet, ourPair, theirPair])('$title', (pair) => {
  test('default: pair, propose, approve', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_proposal')
    const { uri, approval } = await dapp.connect()
    await wallet.pair(uri)
    const proposal = await told
    expect(proposal).toMatchObject({ proposer: 'dapp', asked: proposed })

    const beforeSeconds = Math.floor(Date.now() / 1000)
    const atWallet = await wallet.approve(proposal.id)
    const atDapp = await approval
    const afterSeconds = Math.ceil(Date.now() / 1000)
    expect(atDapp).toMatchObject({ topic: atWallet.topic, namespaces, peer: 'wallet' })
    expect(atWallet).toMatchObject({ namespaces, peer: 'dapp' })
    for (const { expirySeconds } of [atDapp, atWallet]) {
      expect(expirySeconds).toBeGreaterThanOrEqual(beforeSeconds + weekSeconds)
      expect(expirySeconds).toBeLessThanOrEqual(afterSeconds + weekSeconds)
    }
    expect(dapp.sessions()).toEqual([atDapp])
    expect(wallet.sessions()).toEqual([atWallet])
  })

  test('error: the wallet rejects the proposal', async () => {
    const { dapp, wallet } = await setUp(pair)
    const told = wallet.next('session_proposal')
    const { uri, approval } = await dapp.connect()
    const rejected = expect(approval).rejects.toMatchObject(dapp.refusal(5000, 'User rejected.'))
    await wallet.pair(uri)
    await wallet.reject((await told).id)
    await rejected
    expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  test('behavior: a second session in addition to the first', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const second = await openSession(dapp, wallet)
    expect(second.topic).not.toBe(topic)
    const asked = answerNext(wallet, { result: '0x02' })
    expect(await dapp.request(second.topic, 'personal_sign', ['0x00'])).toBe('0x02')
    expect((await asked).topic).toBe(second.topic)
  })

  test('behavior: request and response', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const params = [{ nested: ['ü€😀', null, 1.5, true], long: 'x'.repeat(20_000) }]
    const asked = answerNext(wallet, { result: { signature: '0x01', list: [null] } })
    expect(await dapp.request(topic, 'personal_sign', params)).toEqual({
      signature: '0x01',
      list: [null],
    })
    expect(await asked).toMatchObject({ topic, chainId, method: 'personal_sign', params })
  })

  test('behavior: concurrent requests each get their own response', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    wallet.on('session_request', ({ id, params }) => wallet.respond(topic, id, { result: params }))
    const answers = [1, 2].map((number) => dapp.request(topic, 'personal_sign', [number]))
    expect(await Promise.all(answers)).toEqual([[1], [2]])
  })

  test('error: the wallet responds with an error', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const asked = answerNext(wallet, { error: { code: 4001, message: 'Not today' } })
    await expect(dapp.request(topic, 'personal_sign', [])).rejects.toMatchObject(
      dapp.refusal(4001, 'Not today'),
    )
    await asked
  })

  test('error: a method that was not approved is not requested', async () => {
    const { dapp, topic } = await setUpSession(pair)
    await expect(dapp.request(topic, 'eth_accounts', [])).rejects.toThrow()
  })

  test('behavior: events', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const heard = dapp.next('session_event')
    await wallet.emit(topic, 'chainChanged', 31337)
    expect(await heard).toEqual({ topic, chainId, name: 'chainChanged', data: 31337 })
  })

  test('behavior: update', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const heard = dapp.next('session_update')
    await wallet.update(topic, moreNamespaces)
    expect(await heard).toMatchObject({ topic, namespaces: moreNamespaces })
    for (const party of [dapp, wallet])
      expect(party.sessions()).toMatchObject([{ topic, namespaces: moreNamespaces }])
  })

  test('behavior: extend', async () => {
    const { dapp, wallet, topic, atDapp } = await setUpSession(pair)
    const heard = dapp.next('session_extend')
    // Expiry times are in whole seconds: within the second of the settlement there is nothing to
    // extend.
    const untilMs = (atDapp.expirySeconds - weekSeconds + 1) * 1000
    await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(untilMs)
    await wallet.extend(topic)
    expect(await heard).toMatchObject({ topic })
    for (const party of [dapp, wallet])
      expect(party.sessions()[0]?.expirySeconds).toBeGreaterThan(atDapp.expirySeconds)
  })

  test('behavior: ping from each side', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const heard = [wallet.next('session_ping'), dapp.next('session_ping')]
    await dapp.ping(topic)
    await wallet.ping(topic)
    expect(await Promise.all(heard)).toEqual([{ topic }, { topic }])
  })

  test('behavior: delete by the dapp', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const heard = wallet.next('session_delete')
    await dapp.disconnect(topic)
    expect(await heard).toEqual({ topic })
    expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  test('behavior: deleted by the wallet, and pending requests fail', async () => {
    const { dapp, wallet, topic } = await setUpSession(pair)
    const asked = wallet.next('session_request')
    const failed = expect(dapp.request(topic, 'personal_sign', [])).rejects.toMatchObject(
      dapp.refusal(6000, 'User disconnected.'),
    )
    await asked
    const heard = dapp.next('session_delete')
    await wallet.disconnect(topic)
    expect(await heard).toEqual({ topic })
    await failed
    expect([dapp.sessions(), wallet.sessions()]).toEqual([[], []])
  })
})

// In the role of the wallet, the other implementation reads its clock separately for the expiry it
// sends and the expiry it stores.
test.each([theirDappOurWallet, ourPair])(
  '$title: both sides keep the expiry that the wallet sent',
  async (pair) => {
    const { atDapp, atWallet } = await setUpSession(pair)
    expect(atDapp.expirySeconds).toBe(atWallet.expirySeconds)
  },
)
