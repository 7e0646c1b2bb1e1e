import { afterEach, expect, test } from 'vitest'
import { calm, settleTestSession, setUp } from '../../test/testingClients.ts'

let world: ReturnType<typeof setUp>
afterEach(() => world.close())

test('error: after a response that is too large, the wallet can respond again', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { topic } = (await settleTestSession(dapp, wallet)).session
  const asked = { topic, chainId: 'eip155:1', method: 'personal_sign' }
  const answer = dapp.request({ ...asked, params: [] })
  await calm()
  const id = wallet.requests()[0]?.id ?? 0
  await expect(wallet.respond(topic, id, { result: 'x'.repeat(2_000_000) })).rejects.toMatchObject({
    code: 'MESSAGE_TOO_LARGE',
  })
  await wallet.respond(topic, id, { result: 'short' })
  expect(await answer).toBe('short')
})

test('error: requests that would fill the storage are refused', async () => {
  world = setUp()
  const [dapp, wallet] = [await world.dapp(), await world.wallet()]
  const { topic } = (await settleTestSession(dapp, wallet)).session
  const asked = { topic, chainId: 'eip155:1', method: 'personal_sign' }
  const answers = [1, 2, 3].map(() => dapp.request({ ...asked, params: ['x'.repeat(200_000)] }))
  await expect(Promise.race(answers)).rejects.toMatchObject({ code: 'WALLET_ERROR' })
  expect(wallet.requests()).toHaveLength(2)
  const ended = Promise.allSettled(answers)
  await wallet.disconnect(topic)
  await ended
})
