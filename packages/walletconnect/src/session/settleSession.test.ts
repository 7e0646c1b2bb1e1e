import { afterEach, expect, test } from 'vitest'
import {
  calm,
  next,
  relayUrl,
  settleTestSession,
  setUp,
  testAccount,
  testApproval,
  testRequirements,
} from '../../test/testingClients.ts'

let world: ReturnType<typeof setUp>
const start = () => {
  world = setUp()
  return world
}
afterEach(() => world.close())

test('default', async () => {
  const { dapp: openDapp, wallet: openWallet, relay } = start()
  const [dapp, wallet] = [await openDapp(), await openWallet()]
  const { session, own } = await settleTestSession(dapp, wallet)
  await calm()
  expect(dapp.sessions()).toEqual([session])
  expect(session).toMatchObject({
    relayUrl,
    namespaces: testApproval,
    requiredNamespaces: {},
    isController: false,
    isAcknowledged: true,
    expirySeconds: 1_700_000_000 + 7 * 86_400,
    self: { name: 'app' },
    peer: { name: 'wallet' },
  })
  expect(wallet.sessions()).toEqual([
    {
      ...session,
      isController: true,
      self: session.peer,
      peer: session.self,
    },
  ])
  expect(own.topic).toBe(session.topic)
  expect(wallet.heard.map(([name]) => name)).toEqual([
    'session_proposal',
    'session_connect',
    'session_acknowledged',
  ])
  expect(dapp.heard.map(([name]) => name)).toEqual(['session_connect'])
  expect(relay.published.map(({ tag, ttl }) => [tag, ttl])).toEqual([
    [1100, 300],
    [1102, 300],
    [1101, 300],
    [1103, 300],
  ])
})

test('behavior: a request gets a response', async () => {
  const { dapp: openDapp, wallet: openWallet } = start()
  const [dapp, wallet] = [await openDapp(), await openWallet()]
  const { session } = await settleTestSession(dapp, wallet)
  const { topic } = session
  const asks = next<{ request: { id: number; params: unknown } }>((on) =>
    wallet.on('session_request', on),
  )
  const sent = next<{ id: number }>((on) => dapp.on('session_request_sent', on))
  const result = dapp.request({
    topic,
    chainId: 'eip155:1',
    method: 'personal_sign',
    params: ['0x00', testAccount],
  })
  const { request } = await asks
  expect(await sent).toMatchObject({ id: request.id, topic, method: 'personal_sign' })
  expect(wallet.requests()).toEqual([request])
  expect(request.params).toEqual(['0x00', testAccount])
  await wallet.respond(topic, request.id, { result: '0xsigned' })
  expect(await result).toBe('0xsigned')
  expect(wallet.requests()).toEqual([])
})

test('behavior: a rejected proposal', async () => {
  const { dapp: openDapp, wallet: openWallet } = start()
  const [dapp, wallet] = [await openDapp(), await openWallet()]
  const { uri, approval } = await dapp.connect({ optionalNamespaces: testRequirements })
  const proposed = next<{ proposal: { id: number } }>((on) => wallet.on('session_proposal', on))
  await wallet.pair(uri)
  await wallet.reject((await proposed).proposal.id)
  await expect(approval).rejects.toMatchObject({
    code: 'SESSION_REJECTED',
    message: 'User rejected.',
    cause: { code: 5000, message: 'User rejected.' },
  })
  expect([dapp.sessions(), wallet.sessions(), wallet.proposals()]).toEqual([[], [], []])
})
