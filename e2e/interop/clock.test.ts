import { describe, expect, test } from 'vitest'
import { createOurDapp, createOurWallet } from './latchkeyClient.ts'
import { createPeerDapp, createPeerWallet } from './referenceClient.ts'
import { answerNext, openSession } from './setUp.ts'
import { startRelay } from './startRelay.ts'

const dayMs = 86_400_000

describe.each([
  ['three days fast', 3 * dayMs],
  ['three days slow', -3 * dayMs],
  ['an hour slow', -dayMs / 24],
])('our clock is %s', (_, offMs) => {
  const now = () => Date.now() + offMs

  test('behavior: our dapp and their wallet hold a session', async () => {
    const { url: relayUrl } = await startRelay({ pushDelayMs: 10 })
    const dapp = await createOurDapp({ relayUrl, name: 'dapp', now })
    const wallet = await createPeerWallet({ relayUrl, name: 'wallet' })
    const { topic } = await openSession(dapp, wallet)
    const asked = answerNext(wallet, { result: '0x01' })
    expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
    await asked
  })

  test('behavior: their dapp and our wallet hold a session', async () => {
    const { url: relayUrl } = await startRelay({ pushDelayMs: 10 })
    const dapp = await createPeerDapp({ relayUrl, name: 'dapp' })
    const wallet = await createOurWallet({ relayUrl, name: 'wallet', now })
    const { topic, atDapp } = await openSession(dapp, wallet)
    expect(Math.abs(atDapp.expirySeconds - Date.now() / 1000 - 7 * 86_400)).toBeLessThan(200)
    const asked = answerNext(wallet, { result: '0x01' })
    expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
    await asked
    await wallet.extend(topic)
    expect(dapp.sessions()).toHaveLength(1)
  })
})

test('behavior: unanswered proposals expire, at the dapp and at the wallet', async () => {
  let passedMs = 0
  const now = () => Date.now() + passedMs
  const { url: relayUrl } = await startRelay({ clock: now })
  const [ourDapp, ourWallet] = [
    await createOurDapp({ relayUrl, name: 'dapp', now }),
    await createOurWallet({ relayUrl, name: 'wallet', now }),
  ]
  const theirDapp = await createPeerDapp({ relayUrl, name: 'dapp' })
  const theirWallet = await createPeerWallet({ relayUrl, name: 'wallet' })
  const told = [ourWallet.next('session_proposal'), theirWallet.next('session_proposal')] as const
  const offers = [await ourDapp.connect(), await theirDapp.connect()] as const
  await theirWallet.pair(offers[0].uri)
  await ourWallet.pair(offers[1].uri)
  const [atOurWallet, atTheirWallet] = await Promise.all(told)
  const expired = [ourWallet.next('proposal_expire'), ourDapp.next('proposal_expire')]
  const failed = expect(offers[0].approval).rejects.toMatchObject({ code: 'PROPOSAL_EXPIRED' })
  passedMs = 301_000
  expect(await Promise.all(expired)).toEqual([{ id: atOurWallet.id }, { id: atTheirWallet.id }])
  await failed
  await expect(ourWallet.approve(atOurWallet.id)).rejects.toThrow()
})
