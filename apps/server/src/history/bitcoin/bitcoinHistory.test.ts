import { accountHistoryRoute, type ChainId } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { type EsploraResponses, startEsplora } from '../../../test/fakeEsplora.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { historyRoutes } from '../routes.ts'
import { bitcoinHistory } from './bitcoinHistory.ts'
import { createBitcoinEvents } from './createBitcoinEvents.ts'

const genesis = '5c66f8fcc1e9488fef9402b1af48d8e7d46887449942aa2e82ed7d151cd1b885'
const chainId: ChainId = `bip122:${genesis.slice(0, 32)}`
const owner = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const ours = '0014751e76e8199196d454941c45d1b3a323f1433bd6'
const [friend, shop] = ['0014aa', '0014bb']

const stops: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

async function start(answers: EsploraResponses) {
  const node = await startEsplora(genesis, answers)
  stops.push(node.stop)
  const nativeCurrency = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }
  const services = makeServices(
    { [chainId]: { ...chainWith([node.url]), nativeCurrency } },
    () => 1_700_000_000_000,
  )
  const upstreams = createUpstreams(services)
  const bip122 = bitcoinHistory(services, { upstreams, getTokenIcon: () => '' })
  const eip155 = async () => new Response(null, { status: 404 })
  const app = historyRoutes(services, { eip155, bip122 })
  const get = (more = '', address = owner) =>
    app.request(`/v1/account/${address}/history?projectId=x&chainId=${chainId}${more}`)
  const read = async (more = '') => {
    const response = await get(more)
    expect(response.status).toBe(200)
    return accountHistoryRoute.result.parse(await response.json())
  }
  return { get, read, node, services, upstreams }
}

const idOf = (number: number) => number.toString(16).padStart(64, '0')
const output = ([scriptpubkey, value]: Amount) => ({
  scriptpubkey,
  scriptpubkey_address: scriptpubkey === ours ? owner : `address of ${scriptpubkey}`,
  value,
})

type Amount = readonly [script: string, value: number]
type Payment = { from: readonly Amount[]; to: readonly Amount[]; height?: number | undefined }

/** A transaction in Esplora's form. Without a height it is pending. */
function payment(number: number, { from, to, height }: Payment) {
  const total = (amounts: readonly Amount[]) => amounts.reduce((sum, [, value]) => sum + value, 0)
  return {
    txid: idOf(number),
    vin: from.map((amount, vout) => ({
      txid: idOf(number + 1_000_000),
      vout,
      prevout: output(amount),
      is_coinbase: false,
    })),
    vout: to.map(output),
    fee: total(from) - total(to),
    status:
      height === undefined
        ? { confirmed: false }
        : {
            confirmed: true,
            block_height: height,
            block_hash: idOf(height),
            block_time: 1_600_000_000 + height,
          },
  }
}
const receipt = (number: number, height?: number) =>
  payment(number, { from: [[friend, 1_100]], to: [[ours, 1_000]], height })

const stats = (confirmed: number, waiting = 0) => {
  const flow = (count: number) => ({
    funded_txo_count: count,
    funded_txo_sum: count * 1_000,
    spent_txo_count: 0,
    spent_txo_sum: 0,
    tx_count: count,
  })
  return { address: owner, chain_stats: flow(confirmed), mempool_stats: flow(waiting) }
}
const base = `/address/${owner}`

/** The answers of an Esplora about a list of transactions, the newest first. */
function pages(list: readonly ReturnType<typeof payment>[], size = 25): EsploraResponses {
  const waiting = list.filter(({ status }) => !status.confirmed)
  const confirmed = list.filter(({ status }) => status.confirmed)
  const after = confirmed.map(({ txid }, at) => [
    `${base}/txs/chain/${txid}`,
    confirmed.slice(at + 1, at + 1 + size),
  ])
  return {
    [base]: stats(confirmed.length, waiting.length),
    [`${base}/txs`]: [...waiting, ...confirmed.slice(0, size)],
    [`${base}/txs/mempool`]: waiting,
    ...Object.fromEntries(after),
  }
}

test('default: amounts are net of change and fee, each with who was on the other side', async () => {
  const { read } = await start(
    pages([
      payment(6, { from: [[friend, 900]], to: [[ours, 800]] }),
      payment(5, { from: [[ours, 700]], to: [[ours, 600]], height: 5 }),
      payment(4, {
        from: [
          [ours, 500],
          [friend, 500],
        ],
        to: [[shop, 900]],
        height: 4,
      }),
      payment(3, {
        from: [[ours, 5_000]],
        to: [
          [shop, 3_000],
          [ours, 1_900],
        ],
        height: 3,
      }),
      payment(2, {
        from: [[friend, 9_000]],
        to: [
          [ours, 6_000],
          [friend, 2_000],
        ],
        height: 2,
      }),
    ]),
  )
  const { data, next, sync } = await read()
  expect({ next, sync }).toEqual({ next: null, sync: { complete: true, progress: 1, since: null } })
  const rows = data.map(({ metadata, transfers: [one] }) => [
    `${metadata.operationType} ${metadata.status} ${one?.direction} ${one?.quantity.numeric}`,
    `${metadata.sentFrom} > ${metadata.sentTo}`,
  ])
  expect(rows).toEqual([
    ['receive pending in 0.000008', `address of ${friend} > ${owner}`],
    ['send confirmed self 0.000006', `${owner} > ${owner}`],
    // Others paid a part of the fee.
    ['send confirmed out 0.000005', `${owner} > address of ${shop}`],
    ['send confirmed out 0.00003', `${owner} > address of ${shop}`],
    ['receive confirmed in 0.00006', `address of ${friend} > ${owner}`],
  ])
  expect(data.map(({ metadata: { block, fee } }) => [block, fee?.numeric, fee?.payer])).toEqual([
    [undefined, '0.000001', `address of ${friend}`],
    [5, '0.000001', owner],
    // No one knows who paid which part.
    [4, undefined, undefined],
    [3, '0.000001', owner],
    [2, '0.00001', `address of ${friend}`],
  ])
  expect(data[0]?.metadata.minedAt).toBe('2023-11-14T22:13:20.000Z')
  expect(data[4]?.metadata.minedAt).toBe(new Date(1_600_000_002_000).toISOString())
  expect(data[4]).toMatchObject({
    id: `${chainId}:${idOf(2)}`,
    transfers: [{ fungible_info: { name: 'Bitcoin', symbol: 'BTC', icon: null } }],
  })
})

test.each([25, 10])('default: 100 rows on a page, from pages of %s', async (size) => {
  const waiting = [receipt(999)]
  const mined = Array.from({ length: 230 }, (_, at) => receipt(500 - at, 500 - at))
  const { read } = await start(pages([...waiting, ...mined], size))
  const one = await read()
  const two = await read(`&cursor=${one.next}`)
  const three = await read(`&cursor=${two.next}`)
  expect([one, two, three].map(({ data }) => data.length)).toEqual([100, 100, 31])
  expect(three.next).toBeNull()
  const hashes = [one, two, three].flatMap(({ data }) => data.map(({ metadata }) => metadata.hash))
  expect(hashes).toEqual([...waiting, ...mined].map(({ txid }) => txid))
})

test('behavior: what was replaced is gone, and a later page does not mind', async () => {
  const mined = Array.from({ length: 120 }, (_, at) => receipt(500 - at, 500 - at))
  const { read, node } = await start(pages([receipt(901), ...mined]))
  const { data, next } = await read()
  expect(data[0]?.metadata.hash).toBe(idOf(901))
  Object.assign(node.answers, pages([receipt(902), ...mined]))
  expect((await read()).data.slice(0, 2).map(({ metadata }) => metadata.hash)).toEqual([
    idOf(902),
    idOf(500),
  ])
  expect((await read(`&cursor=${next}`)).data).toHaveLength(21)
})

test('error: a cursor whose block is gone is refused, and never an empty page', async () => {
  const mined = Array.from({ length: 120 }, (_, at) => receipt(500 - at, 500 - at))
  const { get, read, node } = await start(pages(mined))
  const { next } = await read()
  const last = mined[99]?.txid
  node.answers[`${base}/txs/chain/${last}`] = []
  node.answers[`/tx/${last}`] = receipt(401)
  const response = await get(`&cursor=${next}`)
  expect(response.status).toBe(400)
  expect((await response.json()).reasons[0].description).toContain('reorganized')
  // Still in its block: then it is the node that lacks the rest.
  node.answers[`/tx/${last}/status`] = receipt(401, 401).status
  expect((await get(`&cursor=${next}`)).status).toBe(503)
})

test('error: a list that lacks what the address has, or repeats itself', async () => {
  const { get, read, node } = await start({ [base]: stats(3), [`${base}/txs`]: [] })
  expect((await get()).status).toBe(503)
  const rows = [receipt(9, 9), receipt(8, 8)]
  node.answers[`${base}/txs`] = rows
  node.answers[`${base}/txs/chain/${idOf(8)}`] = rows
  expect(await read()).toMatchObject({ next: null, sync: { complete: false } })
  node.answers[base] = { status: 400, text: 'Too many transactions' }
  expect((await get()).status).toBe(503)
})

test('error: cursors and addresses of others', async () => {
  const mined = Array.from({ length: 120 }, (_, at) => receipt(500 - at, 500 - at))
  const { get, read } = await start(pages(mined))
  const { next } = await read()
  const wrong = [
    get('&cursor=x'),
    get(`&cursor=${next}A`),
    get(`&cursor=${next}`, 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'),
    get('', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
    get('', '0x0000000000000000000000000000000000000000'),
    get('&currency=xyz'),
  ]
  for (const response of await Promise.all(wrong)) expect(response.status).toBe(400)
  // One address, written as in a QR code.
  expect((await get(`&cursor=${next}`, owner.toUpperCase())).status).toBe(200)
})

test('default: news of an address come from what waits and from blocks, and from a replacement', async () => {
  const { node, services, upstreams } = await start(pages([receipt(2, 2)]))
  const events = createBitcoinEvents({ ...services, upstreams }, 5)
  const heard: string[] = []
  const account = { chainId, address: owner }
  const stopQuiet = events.listen(account, () => heard.push('quiet'), 'quiet')
  const stop = events.listen(account, () => heard.push('one'))
  const looks = () => node.paths.length
  const look = async () => {
    const before = looks()
    await expect.poll(() => looks() > before + 4).toBe(true)
  }
  await look()
  expect(heard).toEqual([])
  for (const list of [
    [receipt(3), receipt(2, 2)],
    [receipt(4), receipt(2, 2)],
    [receipt(4, 4), receipt(2, 2)],
  ]) {
    Object.assign(node.answers, pages(list))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    // A poll that began before the change may see a part of it.
    await look()
    expect(heard.splice(0).slice(0, 2)).toEqual(['quiet', 'one'])
    await look()
    expect(heard).toEqual([])
  }
  node.answers[base] = { ...stats(9), address: 'of somebody else' }
  await look()
  expect(heard).toEqual([])
  stop()
  stopQuiet()
})

/** A transaction of any size that its sender chooses. */
function bloat(number: number, { inputs, outputs }: { inputs: number; outputs: number }) {
  const other = `0014${'ab'.repeat(20)}`
  const list = (count: number, script: string) =>
    Array.from({ length: count }, (): Amount => [script, 1_000])
  const { vin, ...rest } = payment(number, {
    from: [...list(inputs, other), ...list(inputs, ours)],
    to: [...list(outputs, other), ...list(outputs, ours), [other, 7]],
    height: number,
  })
  return { ...rest, vin: vin.map((one) => ({ ...one, witness: ['ff'.repeat(100)] })) }
}

test.each([
  ['outputs', { inputs: 520, outputs: 510 }],
  ['inputs', { inputs: 600, outputs: 1 }],
])('error: transactions with thousands of %s: the sums of a page are right', async (_, size) => {
  const list = Array.from({ length: 25 }, (_, index) => bloat(200 - index, size))
  expect(JSON.stringify(list).length).toBeGreaterThan(10 * 1024 * 1024)
  const { read } = await start({
    [`/address/${owner}`]: stats(25),
    [`/address/${owner}/txs`]: list,
  })
  const { data, sync } = await read()
  expect(data).toHaveLength(25)
  expect(sync).toMatchObject({ complete: true })
  const paid = (size.inputs - size.outputs) * 1_000
  expect(data[0]).toMatchObject({
    metadata: { operationType: 'send', sentTo: `address of 0014${'ab'.repeat(20)}` },
    transfers: [
      { direction: 'out', quantity: { numeric: (paid / 1e8).toFixed(8).replace(/0+$/, '') } },
    ],
  })
})

test('error: a part of the list that the node does not give: the page ends before it', async () => {
  const part = Array.from({ length: 25 }, (_, index) => receipt(300 - index, 300 - index))
  const last = idOf(276)
  const { read, node } = await start({
    [`/address/${owner}`]: stats(50),
    [`/address/${owner}/txs`]: part,
    [`/address/${owner}/txs/chain/${last}`]: { status: 500, text: 'timeout' },
  })
  const { data, next, sync } = await read()
  expect(data).toHaveLength(25)
  expect(sync).toMatchObject({ complete: false })
  node.answers[`/address/${owner}/txs/chain/${last}`] = [receipt(9, 9)]
  expect((await read(`&cursor=${next}`)).data).toHaveLength(1)
})
