import { describe, expect, test } from 'vitest'
import {
  answerNext,
  openSession,
  ourDappTheirWallet,
  ourPair,
  setUpOnLines,
  setUpSession,
  theirDappOurWallet,
  theirPair,
} from './setUp.ts'

describe.each([ourDappTheirWallet, theirDappOurWallet, ourPair, theirPair])('$title', (pair) => {
  test('behavior: a session continues after the relay has restarted and lost everything', async () => {
    const { relay, dapp, wallet, topic } = await setUpSession(pair)
    await relay.restart()
    const asked = answerNext(wallet, { result: '0x01' })
    expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
    await asked
    const heard = dapp.next('session_event')
    await wallet.emit(topic, 'chainChanged', '0x7a69')
    expect(await heard).toMatchObject({ topic, data: '0x7a69' })
  })

  test('behavior: a request waits for a wallet that is away', async () => {
    const { dapp, wallet, walletLine } = await setUpOnLines(pair)
    const { topic } = await openSession(dapp, wallet)
    walletLine.cut()
    const asked = answerNext(wallet, { result: '0x01' })
    const answer = dapp.request(topic, 'personal_sign', ['0x00'])
    await dapp.next('session_request_sent')
    walletLine.mend()
    expect(await answer).toBe('0x01')
    await asked
  })

  test('behavior: a response, an event and an update wait for an offline dapp', async () => {
    const { dapp, wallet, dappLine } = await setUpOnLines(pair)
    const { topic } = await openSession(dapp, wallet)
    const asked = wallet.next('session_request')
    const answer = dapp.request(topic, 'personal_sign', ['0x00'])
    const { id } = await asked
    dappLine.cut()
    const heard = [dapp.next('session_event'), dapp.next('session_delete')]
    await wallet.respond(topic, id, { result: '0x01' })
    await wallet.emit(topic, 'chainChanged', '0x7a69')
    dappLine.mend()
    expect(await answer).toBe('0x01')
    expect(await heard[0]).toMatchObject({ topic, data: '0x7a69' })
    dappLine.cut()
    await wallet.disconnect(topic)
    dappLine.mend()
    expect(await heard[1]).toEqual({ topic })
  })

  test('behavior: a proposal waits for its wallet, an approval for its dapp', async () => {
    const { dapp, wallet, dappLine, walletLine } = await setUpOnLines(pair)
    const { uri, approval } = await dapp.connect()
    dappLine.cut()
    const told = wallet.next('session_proposal')
    await wallet.pair(uri)
    walletLine.cut()
    walletLine.mend()
    const { id } = await told
    const { topic } = await wallet.approve(id)
    dappLine.mend()
    expect((await approval).topic).toBe(topic)
    await dapp.ping(topic)
  })
})
