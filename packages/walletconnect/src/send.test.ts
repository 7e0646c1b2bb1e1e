import { expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { aWhile, codeOf, ends, getTopic, until, useRelayClock } from '../test/relayClient.ts'
import { agree, startScriptedRelay } from '../test/scriptedRelay.ts'
import { testApproval } from '../test/testingClients.ts'
import { createTestStorage } from '../test/testingStorage.ts'
import type { WalletConnectSession } from './client.ts'
import { createDapp } from './createDapp.ts'

useRelayClock()

const self = { name: 'app', description: '', url: 'https://app.test', icons: [] }

test('behavior: a message that must arrive outlasts a relay that cannot take it for minutes', async () => {
  const server = await startScriptedRelay()
  ends.push(server.stop)
  const topic = getTopic('a')
  const session: WalletConnectSession = {
    topic,
    pairingTopic: getTopic('b'),
    relayUrl: server.url,
    namespaces: testApproval,
    requiredNamespaces: {},
    self,
    peer: self,
    isController: false,
    isAcknowledged: true,
    expirySeconds: Math.floor(Date.now() / 1000) + 604_800,
  }
  const record = JSON.stringify({ session, key: getTopic('c'), lastIds: {} })
  const storage = createTestStorage([[`session/${topic}`, record]])
  const dapp = await createDapp({
    relayUrl: server.url,
    metadata: self,
    storage: storage.tab(),
    WebSocket: NodeSocket as unknown as typeof WebSocket,
  })
  ends.push(() => dapp.close())
  const published = () => server.requests('irn_publish')
  server.on.request = (heard) =>
    heard.method === 'irn_publish'
      ? { error: { code: -32000, message: 'later', data: 'PublishFailed' } }
      : agree(heard)

  const ended = codeOf(dapp.disconnect(topic))
  await until(() => published().length === 1)
  for (let tries = 0; tries < 15; tries++) {
    await vi.advanceTimersByTimeAsync(5_000)
    await aWhile()
  }
  await ended
  const posts = () => [...storage.entries.keys()].filter((key) => key.startsWith('post/'))
  expect(posts()).toHaveLength(1)
  server.on.request = agree
  await vi.advanceTimersByTimeAsync(5_000)
  await until(() => posts().length === 0)
  const [first, ...rest] = published()
  expect(first?.params).toMatchObject({ topic, tag: 1112 })
  expect(rest.at(-1)?.params).toEqual(first?.params)
})
