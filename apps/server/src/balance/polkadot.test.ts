import { accountBalanceRoute, accountPortfolioRoute } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { type Handler, honestPolkadot, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { openBalanceSources } from './openBalanceSources.ts'
import { balanceRoutes } from './routes.ts'

const genesis = '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3'
const chainId = `polkadot:${genesis.slice(2, 34)}` as const
const kusama = 'polkadot:b0a8d493285c2df73290dfb7e61f870f'
const kusamaGenesis = '0xb0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe'

// The request and response in the documentation at
// https://www.dwellir.com/docs/astar/state_getStorage; Astar's prefix is 5.
const published = {
  address: 'ZEyDXf6563rc78ibEtYQAkHTSKLzMES1m2BrPNdLcma57Tg',
  key: '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9e3a5c81a65b0e6ba8e72e48e58704482922ee694ea772dc63a575845fa57a0c5ea93dfdc2a93ec631d9e426962f1e311',
  stored:
    '0x0000000001000000010000000000000032b41eb5b90885078a550301000000000000000000000000000000000000000000000081da1cc2709a1dba000000000000000000000000000000000000000080',
  total: '313515734.623763971878859826',
}
// The development account Alice, with the prefixes of Polkadot, of Kusama and of no network.
const address = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const onKusama = 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'
const generic = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'

test('default: a published answer to a published request, with all its digits', async () => {
  const read = ([key]: [string]) => (key === published.key ? published.stored : null)
  const { get } = await start([honestPolkadot(genesis, { state_getStorage: read })], astar)
  const { status, balances } = await get(published.address, `&chainId=${chainId}`)
  expect(status).toBe(200)
  expect(balances).toEqual([
    {
      ...{ name: 'Astar', symbol: 'ASTR', chainId, iconUrl: expect.any(String) },
      quantity: { decimals: '18', numeric: published.total },
    },
  ])
})

test('behavior: the total is the free and reserved balance, including frozen amounts', async () => {
  const stored = account({ free: 12_345_678_901n, reserved: 20_000_000_000n, frozen: 5n })
  const { get, nodes } = await start([honestPolkadot(genesis, { state_getStorage: stored })])
  const { balances } = await get(address, `&chainId=${chainId}`)
  expect(balances).toMatchObject([{ symbol: 'DOT', quantity: { numeric: '3.2345678901' } }])
  expect(nodes[0]?.bodies).toEqual(['chain_getBlockHash', 'state_getStorage'])
})

test('behavior: amounts of 128 bits are exact', async () => {
  const most = 2n ** 128n - 1n
  const stored = account({ free: most, reserved: most })
  const { get } = await start([honestPolkadot(genesis, { state_getStorage: stored })])
  const { balances } = await get(address, `&chainId=${chainId}`)
  expect(balances[0]?.quantity.numeric).toBe('68056473384187692692674921486.353642291')
})

test('behavior: an account that the chain does not have owns nothing', async () => {
  const { get } = await start([honestPolkadot(genesis, { state_getStorage: () => null })])
  const { status, balances } = await get(address, `&chainId=${chainId}`)
  expect(status).toBe(200)
  expect(balances).toMatchObject([{ symbol: 'DOT', quantity: { numeric: '0' } }])
})

test('behavior: an address of any network stands for the same account on all networks', async () => {
  const stored = account({ free: 10_000_000_000n })
  const one = await startNode(honestPolkadot(genesis, { state_getStorage: stored }))
  const other = await startNode(honestPolkadot(kusamaGenesis, { state_getStorage: stored }))
  const { request } = open({
    [chainId]: { ...dot, upstreams: [one.url] },
    [kusama]: { ...chainWith([other.url]), nativeCurrency: currency('Kusama', 'KSM', 12) },
  })
  for (const spelling of [address, onKusama, generic]) {
    const { balances } = await request(spelling)
    const shown = balances.map(({ symbol, quantity }) => `${symbol} ${quantity.numeric}`)
    expect(shown.sort()).toEqual(['DOT 1', 'KSM 0.01'])
  }
})

test('default: a portfolio names what is held', async () => {
  const stored = account({ free: 1n })
  const { app } = await start([honestPolkadot(genesis, { state_getStorage: stored })])
  const response = await app.request(`/v1/account/${address}/portfolio?projectId=local`)
  expect(accountPortfolioRoute.result.parse(await response.json()).data).toMatchObject([
    { name: 'Polkadot', symbol: 'DOT' },
  ])
})

const whole = account({ free: 1n })
const broken: [string, Record<string, unknown>][] = [
  ['an account that is too short', { state_getStorage: whole.slice(0, -2) }],
  ['an account that is too long', { state_getStorage: `${whole}00` }],
  ['an account of half a byte more', { state_getStorage: `${whole}0` }],
  ['an empty account', { state_getStorage: '0x' }],
  ['an account without 0x', { state_getStorage: whole.slice(2) }],
  ['an account that is no hex', { state_getStorage: whole.replace('1', 'g') }],
  ['an account in an object', { state_getStorage: { free: 1 } }],
  ['a number', { state_getStorage: 7 }],
  ['megabytes', { state_getStorage: `0x${'00'.repeat(1_000_000)}` }],
  ['more than is read', { state_getStorage: `0x${'00'.repeat(6_000_000)}` }],
  ['an error', { state_getStorage: new Error('Client error: UnknownBlock') }],
  ['another genesis', { chain_getBlockHash: kusamaGenesis }],
  ['a genesis that begins like this one', { chain_getBlockHash: genesis.slice(0, 34) }],
  ['no genesis', { chain_getBlockHash: () => null }],
]
test.each(broken)('error: a node with %s is 503, never an empty wallet', async (_, results) => {
  const { get } = await start([honestPolkadot(genesis, { state_getStorage: whole, ...results })])
  expect(await get(address, `&chainId=${chainId}`)).toMatchObject({ status: 503, field: 'chainId' })
})

test('behavior: after a node of another chain and a failing node, the request goes to the next node', async () => {
  const stored = account({ free: 10_000_000_000n })
  const { get } = await start([
    honestPolkadot(kusamaGenesis, { state_getStorage: account({ free: 1n }) }),
    honestPolkadot(genesis, { state_getStorage: new Error('Client error: UnknownBlock') }),
    honestPolkadot(genesis, { state_getStorage: stored }),
  ])
  const { balances } = await get(address, `&chainId=${chainId}`)
  expect(balances).toMatchObject([{ quantity: { numeric: '1' } }])
})

test.each([
  [`${address.slice(0, -1)}6`, 'a wrong checksum'],
  ['0x0000000000000000000000000000000000000001', 'an address of an EVM chain'],
])('error: %s, %s', async (text) => {
  const { get } = await start([honestPolkadot(genesis, { state_getStorage: whole })])
  const asked = await get(text, `&chainId=${chainId}`)
  expect(asked).toMatchObject({ status: 400, field: 'address' })
})

const currency = (name: string, symbol: string, decimals: number) => ({ name, symbol, decimals })
const dot = { ...chainWith([]), nativeCurrency: currency('Polkadot', 'DOT', 10) }
const astar = { ...dot, nativeCurrency: currency('Astar', 'ASTR', 18) }

type Amounts = { free: bigint; reserved?: bigint; frozen?: bigint }

/** `AccountInfo` in the encoding of a chain. */
function account({ free, reserved = 0n, frozen = 0n }: Amounts): string {
  const bytes = Buffer.alloc(80)
  for (const [index, count] of [4, 1, 1, 0].entries()) bytes.writeUInt32LE(count, index * 4)
  for (const [index, amount] of [free, reserved, frozen, 1n << 127n].entries()) {
    bytes.writeBigUInt64LE(amount & (2n ** 64n - 1n), 16 + index * 16)
    bytes.writeBigUInt64LE(amount >> 64n, 24 + index * 16)
  }
  return `0x${bytes.toString('hex')}`
}

async function startNode(handler: Handler) {
  const node = await startUpstream(handler)
  onTestFinished(node.stop)
  return node
}

async function start(handlers: Handler[], chain: typeof dot = dot) {
  const nodes = await Promise.all(handlers.map(startNode))
  const { app, request } = open({ [chainId]: { ...chain, upstreams: nodes.map(({ url }) => url) } })
  return { app, get: request, nodes }
}

function open(chains: Parameters<typeof makeServices>[0]) {
  const services = makeServices(chains)
  const ways = { upstreams: createUpstreams(services), outbound: createOutbound(services) }
  const app = balanceRoutes(openBalanceSources(services, ways))
  const request = async (account: string, query = '') => {
    const response = await app.request(`/v1/account/${account}/balance?projectId=local${query}`)
    const json: unknown = await response.json()
    if (response.ok)
      return { status: response.status, field: '', ...accountBalanceRoute.result.parse(json) }
    const { reasons } = json as { reasons: { field: string }[] }
    return { status: response.status, field: reasons[0]?.field, balances: [] }
  }
  return { app, request }
}
