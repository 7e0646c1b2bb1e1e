import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { readChains } from '../config/chainsFile.ts'
import { createUpstreams } from './upstreams.ts'

const chainId = 'eip155:31337'
const transaction = { method: 'eth_sendRawTransaction', params: '["0x02"]' }
const block = { method: 'eth_blockNumber', params: '[]' }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start() {
  const seen = { open: [] as string[], hidden: [] as string[] }
  const node = async (name: 'open' | 'hidden', results: Record<string, unknown>) => {
    const answer = honest(31337, results)
    const upstream = await startUpstream((response, calls, request) => {
      const methods = calls.map(({ method }) => method)
      seen[name].push(...methods.filter((method) => method !== 'eth_chainId'))
      answer(response, calls, request)
    })
    stops.push(upstream.stop)
    return upstream
  }
  const open = await node('open', { eth_blockNumber: '0x5', eth_sendRawTransaction: '0xpublic' })
  const hidden = await node('hidden', { eth_sendRawTransaction: '0xprivate' })
  const chain = { ...chainWith([open.url]), privateTransactionUrls: [hidden.url] }
  const upstreams = createUpstreams(makeServices({ [chainId]: chain }))
  return { seen, upstreams, hidden }
}

test('default: a signed transaction goes to the private node alone, everything else to the others', async () => {
  const { seen, upstreams } = await start()
  expect(await upstreams.request(chainId, [transaction])).toMatchObject({
    replies: [{ result: '"0xprivate"' }],
  })
  expect(await upstreams.read(chainId, [block])).toMatchObject({ replies: [{ result: '0x5' }] })
  expect(seen).toEqual({ open: ['eth_blockNumber'], hidden: ['eth_sendRawTransaction'] })
})

test('behavior: a batch is taken apart and its answers keep their order', async () => {
  const { seen, upstreams } = await start()
  const sync = { method: 'eth_sendRawTransactionSync', params: '["0x03"]' }
  const answer = await upstreams.read(chainId, [block, transaction, block, sync])
  expect('replies' in answer && answer.replies.map(({ result }) => result)).toEqual([
    '0x5',
    '0xprivate',
    '0x5',
    // A node in these tests echoes requests that it does not support.
    { method: sync.method, params: ['0x03'] },
  ])
  expect(seen.open).toEqual(['eth_blockNumber', 'eth_blockNumber'])
})

test('error: while the private node is away nothing is sent', async () => {
  const { seen, upstreams, hidden } = await start()
  await hidden.stop()
  expect(await upstreams.request(chainId, [block, transaction])).toHaveProperty('fault')
  expect(seen.open).toEqual([])
})

test('error: a private node of another chain is known at the start, before anything is sent to it', async () => {
  const [open, hidden] = await Promise.all([startUpstream(honest(31337)), startUpstream(honest(1))])
  stops.push(open.stop, hidden.stop)
  const chain = { ...chainWith([open.url]), privateTransactionUrls: [hidden.url] }
  const services = makeServices({ [chainId]: chain })
  const upstreams = createUpstreams(services)
  await upstreams.verifyAtStart()
  expect(hidden.bodies).toEqual(['eth_chainId'])
  expect(services.health.troubles().get('nodes')).toContain(chainId)
  expect(await upstreams.request(chainId, [transaction])).toHaveProperty('fault')
  expect(hidden.bodies).not.toContain(transaction.method)
})

test('error: on a network that is not of eip155 it is refused', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'chains-')), 'chains.json')
  const chain = { ...chainWith(['http://x.test']), privateTransactionUrls: ['http://y.test'] }
  const id = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  await writeFile(file, JSON.stringify({ chains: { [id]: chain } }))
  expect(readChains(file).problems).toEqual([
    `CHAINS_FILE: chains.${id}.privateTransactionUrls: is for eip155 networks`,
  ])
})
