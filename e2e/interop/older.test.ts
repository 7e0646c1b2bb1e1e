import { expect, test } from 'vitest'
import { namespaces } from './eip155.ts'
import type { DappParty, WalletParty } from './parties.ts'
import {
  answerNext,
  openSession,
  ourDappTheirWallet,
  setUpOnLines,
  theirDappOurWallet,
} from './setUp.ts'
import type { Call } from './startProxy.ts'

const unknownMethods = ['wc_proposeSession', 'wc_approveSession']

async function expectToWork(dapp: DappParty, wallet: WalletParty) {
  const { topic, atDapp } = await openSession(dapp, wallet)
  expect(atDapp.namespaces).toEqual(namespaces)
  const asked = answerNext(wallet, { result: '0x01' })
  expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
  await asked
}

test('behavior: our dapp proposes over a relay that has no call for it', async () => {
  const { dapp, wallet, dappLine } = await setUpOnLines(ourDappTheirWallet, {
    dapp: { unknownMethods },
  })
  await expectToWork(dapp, wallet)
  expect(dappLine.methods).toEqual(expect.arrayContaining(['wc_proposeSession', 'irn_publish']))
})

test('behavior: our wallet approves over a relay that has no call for it', async () => {
  const { dapp, wallet, walletLine } = await setUpOnLines(theirDappOurWallet, {
    wallet: { unknownMethods },
  })
  await expectToWork(dapp, wallet)
  expect(walletLine.methods).toEqual(expect.arrayContaining(['wc_approveSession', 'irn_publish']))
})

type Approval = Record<
  'pairingTopic' | 'sessionTopic' | 'sessionProposalResponse' | 'sessionSettlementRequest',
  string
>

/** The requests of a wallet that does not use the call yet. */
function approveAsBefore({ method, params }: Call) {
  if (method !== 'wc_approveSession') return { other: [{ method, params }] }
  const approval = params as Approval
  const publish = (topic: string, message: string, tag: number) => ({
    method: 'irn_publish',
    params: { topic, message, tag, ttl: 300, prompt: false },
  })
  return {
    subscribe: { method: 'irn_subscribe', params: { topic: approval.sessionTopic } },
    response: publish(approval.pairingTopic, approval.sessionProposalResponse, 1101),
    settlement: publish(approval.sessionTopic, approval.sessionSettlementRequest, 1102),
  }
}

test.each([
  ['response', 'settlement'],
  ['settlement', 'response'],
] as const)(
  'behavior: our dapp takes the %s of an older wallet before its %s',
  async (...order) => {
    const rewrite = (call: Call) => {
      const calls = approveAsBefore(call)
      return calls.other ?? [calls.subscribe, ...order.map((name) => calls[name])]
    }
    const { dapp, wallet } = await setUpOnLines(ourDappTheirWallet, { wallet: { rewrite } })
    await expectToWork(dapp, wallet)
  },
)
