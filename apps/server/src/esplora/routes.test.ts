import type { ChainId } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { type EsploraResponses, startEsplora } from '../../test/fakeEsplora.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { esploraRoutes } from './routes.ts'

const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
const otherGenesis = '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'
const chainId: ChainId = `bip122:${genesis.slice(0, 32)}`
/** The address of the genesis block, and the first payment ever made. */
const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const script = '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac'
const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'
const hex =
  '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000'

const stops: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

type Node = { genesis?: string; answers?: EsploraResponses }

async function start(nodes: readonly Node[], clock?: () => number) {
  const started = await Promise.all(
    nodes.map((node) => startEsplora(node.genesis ?? genesis, node.answers)),
  )
  stops.push(...started.map(({ stop }) => stop))
  const urls = started.map(({ url }) => url)
  const services = makeServices({ [chainId]: chainWith(urls), 'eip155:1': chainWith(urls) }, clock)
  const upstreams = createUpstreams(services, { timeoutMs: 120_000, hedgeMs: 120_000 })
  const app = esploraRoutes(services, upstreams)
  const ask = async (path: string, { id = chainId, body }: { id?: string; body?: string } = {}) => {
    const response = await app.request(`/v1/esplora/${id}${path}`, {
      ...(body !== undefined && { method: 'POST', body }),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, isJson: type.includes('json'), text }
  }
  return { ask, nodes: started, services, upstreams }
}

const flow = (funded: number, spent: number, count: number) => ({
  funded_txo_count: count,
  funded_txo_sum: funded,
  spent_txo_count: 0,
  spent_txo_sum: spent,
  tx_count: count,
})
const stats = (chain = flow(5_000, 2_000, 2), mempool = flow(0, 0, 0)) => ({
  address,
  chain_stats: chain,
  mempool_stats: mempool,
})
const block_hash = genesis
const confirmed = { confirmed: true, block_height: 170, block_hash, block_time: 1_231_731_025 }
const output = (value: number) => ({
  scriptpubkey: script,
  scriptpubkey_asm: '',
  scriptpubkey_type: 'p2pkh',
  scriptpubkey_address: address,
  value,
})
const transaction = (changes: object = {}) => ({
  txid,
  version: 1,
  locktime: 0,
  vin: [{ txid: 'a'.repeat(64), vout: 0, prevout: output(1_000), is_coinbase: false, sequence: 0 }],
  vout: [output(900)],
  size: 200,
  weight: 800,
  fee: 100,
  status: confirmed,
  ...changes,
})
const coin = (value: number) => ({ txid, vout: 0, value, status: confirmed })

const base = `/address/${address}`

test('default: what wallets need is passed on as it came', async () => {
  const answers: EsploraResponses = {
    [base]: stats(),
    [`${base}/utxo`]: [coin(3_000)],
    [`${base}/txs`]: [transaction()],
    [`${base}/txs/mempool`]: [],
    [`${base}/txs/chain`]: [transaction()],
    [`${base}/txs/chain/${txid}`]: [],
    [`/tx/${txid}`]: transaction(),
    [`/tx/${txid}/hex`]: `${hex}\n`,
    [`/tx/${txid}/status`]: confirmed,
    '/fee-estimates': { 1: 87.9, 144: 1.027 },
    '/blocks/tip/height': '650000',
  }
  const { ask } = await start([{ answers }])
  for (const [path, answer] of Object.entries(answers)) {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    expect(await ask(path)).toEqual({ status: 200, isJson: typeof answer !== 'string', text })
  }
  // Other Esploras use this form of the same request.
  expect((await ask(`${base}/txs?after_txid=${txid}`)).text).toBe('[]')
  expect((await ask('/block-height/0')).text).toBe(genesis)
})

test.each([
  [`${base}/txs/chain/x`, 400],
  ['/tx/..%2f..%2fadmin', 400],
  ['/tx/abc', 400],
  ['/block-height/-1', 400],
  ['/address/tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 400],
  ['/address/0x0000000000000000000000000000000000000000', 400],
  ['/mempool', 404],
  ['/blocks', 404],
])('error: %s is no question for the node', async (path, status) => {
  const { ask, nodes } = await start([{}])
  expect(await ask(path)).toMatchObject({ status })
  expect(nodes[0]?.paths).toEqual([])
})

test('error: chains that are not configured, or not of Bitcoin', async () => {
  const { ask } = await start([{}])
  for (const id of ['eip155:1', 'bip122:x', 'solana:x'])
    expect(await ask('/blocks/tip/height', { id })).toMatchObject({ status: 400, isJson: true })
})

test('error: a refusal of the nodes is passed on in their words, and only if all of them refuse', async () => {
  const words = { status: 404, text: 'Transaction not found' }
  const { ask, nodes } = await start([{}, { answers: { [`/tx/${txid}`]: transaction() } }])
  expect((await ask(`/tx/${txid}`)).status).toBe(200)
  expect(nodes.map(({ paths }) => paths.length)).toEqual([1, 1])
  expect(await ask(`/tx/${'b'.repeat(64)}`)).toEqual({ ...words, isJson: false })
})

const lies: Record<string, readonly [path: string, answer: EsploraResponses[string]]> = {
  'another address': [base, { ...stats(), address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }],
  'less than nothing': [base, stats(flow(1, 2, 2))],
  'more than there is': [base, stats(flow(21e14 + 1, 0, 1))],
  'fractions of a satoshi': [base, stats(flow(0.5, 0, 1))],
  'more unconfirmed payments than coins': [base, stats(flow(5, 0, 1), flow(0, 6, 1))],
  'a page in place of data': [base, '<html>Down for maintenance</html>'],
  'a page as a refusal': [base, { status: 404, text: '<!doctype html><p>not here' }],
  'another kind of data': [base, []],
  'nothing at all': [base, ''],
  'a server error': [base, { status: 502, text: 'Bad gateway' }],
  'a negative coin': [`${base}/utxo`, [coin(-1)]],
  'a coin above the supply': [`${base}/utxo`, [coin(21e14 + 1)]],
  'one coin twice': [`${base}/utxo`, [coin(5), coin(5)]],
  'a coin of no transaction': [`${base}/utxo`, [{ ...coin(5), txid: 'x' }]],
  "somebody else's transaction": [
    `${base}/txs`,
    [
      transaction({
        vin: [
          { txid, vout: 0, prevout: { ...output(1_000), scriptpubkey: '00' }, is_coinbase: false },
        ],
        vout: [{ ...output(900), scriptpubkey: '51' }],
      }),
    ],
  ],
  'a transaction that creates money': [`${base}/txs`, [transaction({ vout: [output(5_000)] })]],
  'one transaction twice': [`${base}/txs`, [transaction(), transaction()]],
  'another transaction': [`/tx/${txid}`, transaction({ txid: 'c'.repeat(64) })],
  'a block without a height': [`/tx/${txid}/status`, { confirmed: true }],
  'bytes of another transaction': [`/tx/${txid}/hex`, hex.replace('ffffffff', 'fffffffe')],
  'a tip that is no number': ['/blocks/tip/height', '-1'],
  'a fee below nothing': ['/fee-estimates', { 3: -1 }],
  'an invalid hash': ['/block-height/7', 'zz'],
}

test.each(Object.entries(lies))(
  'error: %s: another node is asked, then 503',
  async (_, [path, lie]) => {
    const { ask, nodes } = await start([{ answers: { [path]: lie } }, { answers: { [path]: lie } }])
    expect(await ask(path)).toMatchObject({ status: 503, isJson: true })
    expect(nodes.map(({ paths }) => paths)).toEqual([[path], [path]])
  },
)

test('error: a node that hangs up, answers too much or redirects is passed over', async () => {
  const path = '/blocks/tip/height'
  const huge: EsploraResponses = {
    [path]: (response) => {
      response.writeHead(200, { 'content-length': String(11 * 1024 * 1024) })
      response.write('1')
    },
  }
  const { ask } = await start([
    { answers: { [path]: (response) => response.destroy() } },
    { answers: huge },
    { answers: { [path]: (response) => response.writeHead(302, { location: '/' }).end() } },
    { answers: { [path]: '7' } },
  ])
  expect((await ask(path)).text).toBe('7')
})

test('error: a node that lies about its genesis block is never asked anything else', async () => {
  const answers = { [base]: stats() }
  const { ask, nodes, services, upstreams } = await start([
    { genesis: otherGenesis, answers },
    { genesis: `${genesis.slice(0, 31)}0${genesis.slice(32)}`, answers },
    { genesis: '<html>', answers },
  ])
  expect((await ask(base)).status).toBe(503)
  expect(nodes.flatMap(({ paths }) => paths)).toEqual([])
  await upstreams.verifyAtStart()
  expect(services.health.troubles().get('nodes')).toContain(chainId)
})

test('behavior: the tip is requested once in three seconds, an old transaction only once', async () => {
  let nowMs = 1_700_000_000_000
  const answers: EsploraResponses = {
    '/blocks/tip/height': '7',
    [`/tx/${txid}`]: transaction(),
    [base]: stats(),
  }
  const { ask, nodes } = await start([{ answers }], () => nowMs)
  const count = async (path: string) => {
    for (const _ of [1, 2]) expect((await ask(path)).status).toBe(200)
    return nodes[0]?.paths.splice(0).length
  }
  expect(await count('/blocks/tip/height')).toBe(1)
  expect(await count(`/tx/${txid}`)).toBe(1)
  expect(await count(base)).toBe(2)
  nowMs += 4_000
  expect(await count('/blocks/tip/height')).toBe(1)
  expect(await count(`/tx/${txid}`)).toBe(0)
  const young = { ...confirmed, block_time: nowMs / 1000 - 60 }
  answers[`/tx/${'d'.repeat(64)}`] = transaction({ txid: 'd'.repeat(64), status: young })
  expect(await count(`/tx/${'d'.repeat(64)}`)).toBe(2)
})

test('default: a transaction is sent, and its id is the one it has', async () => {
  const { ask, nodes } = await start([{ answers: { '/tx': txid } }, { answers: { '/tx': txid } }])
  expect(await ask('/tx', { body: `${hex}\n` })).toEqual({ status: 200, isJson: false, text: txid })
  expect(nodes.map(({ paths }) => paths)).toEqual([['/tx'], []])
})

test('error: a refused transaction is not offered to another node', async () => {
  const text = 'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met"}'
  const { ask, nodes } = await start([
    { answers: { '/tx': { status: 400, text } } },
    { answers: { '/tx': txid } },
  ])
  expect(await ask('/tx', { body: hex })).toEqual({ status: 400, isJson: false, text })
  expect(nodes[1]?.paths).not.toContain('/tx')
})

test('behavior: a node that breaks off is followed by the next, and what is known already counts as sent', async () => {
  const known = { status: 400, text: 'sendrawtransaction RPC error: {"code":-27}' }
  const { ask } = await start([
    { answers: { '/tx': (response) => response.destroy() } },
    { answers: { '/tx': known, [`/tx/${txid}`]: transaction() } },
  ])
  expect(await ask('/tx', { body: hex })).toEqual({ status: 200, isJson: false, text: txid })
})

test('error: an invalid transaction, a transaction that is too long, and a node that returns another id', async () => {
  const { ask, nodes } = await start([{ answers: { '/tx': 'e'.repeat(64) } }])
  for (const body of ['', 'zz', '00', hex.slice(2)])
    expect(await ask('/tx', { body })).toMatchObject({ status: 400, isJson: false })
  expect((await ask('/tx', { body: '0'.repeat(800_001) })).status).toBe(413)
  expect(nodes[0]?.paths).toEqual([])
  expect((await ask('/tx', { body: hex })).status).toBe(503)
})
