import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { accountNftsRoute, type Nft, nftDetailRoute } from '@latchkey/wire'
import type { KyselyPlugin } from 'kysely'
import sharp from 'sharp'
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'
import type { Activity, HeldNft } from '../activity/activity.ts'
import { createMemoryKv } from '../kv/memoryKv.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { indexListedTokens } from '../tokens/listedTokens.ts'
import { sweepMetadata } from './metadataRows.ts'
import { createNfts } from './nfts.ts'
import { nftRoutes } from './routes.ts'

type Hex = `0x${string}`

const chainId = 'eip155:31337'
const cid = 'bafkreif5vlyuxsrqcety7diiwfwnh4r7eeg257xx6j65idsbg7b5g4fzra'
const abi = parseAbi([
  'function mint(address to, uint256[] ids, uint256[] amounts)',
  'function mint(address[] to)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])
const { bytecode } = JSON.parse(
  readFileSync(new URL('../../../../dev/generated/DevItems.json', import.meta.url), 'utf8'),
) as { bytecode: Hex }

let chains: Chains
let server: TestServer
let media: Awaited<ReturnType<typeof serveMedia>>
let png: Buffer

beforeAll(async () => {
  ;[chains, media, png] = await Promise.all([
    startChains({ ports: 'free' }),
    serveMedia(),
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  ])
  const file = join(media.dir, 'chains.json')
  await writeFile(file, JSON.stringify({ chains: { [chainId]: chainOf() } }))
  server = await startTestServer({
    CHAINS_FILE: file,
    OUTBOUND_ALLOW: media.host,
    IPFS_GATEWAY: media.url,
    ARWEAVE_GATEWAY: `${media.url}/ar`,
  })
})
afterAll(async () => {
  await server?.stop()
  await media?.stop()
  await chains?.stop()
})

const holder = (index = 0) => chains.accounts[index]?.address.toLowerCase() as Hex
const chainOf = () => ({
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams: [chains.urls[chainId]],
  multicall3: chains.addresses[chainId].multicall3,
})

type Ask = (path: string) => Promise<Response>
const askServer: Ask = (path) => fetch(`${server.url}${path}`)

async function list(ask: Ask, owner: Hex, more = '') {
  const response = await ask(`/v1/account/${owner}/nfts?projectId=local&chainId=${chainId}${more}`)
  expect(response.status).toBe(200)
  return accountNftsRoute.result.parse(await response.json())
}

/** Like {@link list}, after all pending reads: a list waits only a second for unknown metadata. */
async function listed(ask: Ask, owner: Hex) {
  const pending = async () =>
    (await list(ask, owner)).data.filter(({ metadata }) => metadata === 'pending')
  await expect.poll(pending).toEqual([])
  return list(ask, owner)
}

async function detail(ask: Ask, contract: Hex, tokenId: bigint | number | string, more = '') {
  const response = await ask(`/v1/nft/${chainId}/${contract}/${tokenId}?projectId=local${more}`)
  return { status: response.status, json: await response.json() }
}

const named = (nfts: readonly Nft[]) =>
  nfts.map(({ name, metadata, quantity }) => `${name} ${metadata} ${quantity}`).sort()

test('default: the NFTs of an account, with metadata from the chain, a gateway or none', async () => {
  media.files.set(`/ipfs/${cid}`, json({ name: 'Shell', image: `ipfs://${cid}/s.png` }))
  await expect.poll(async () => (await list(askServer, holder())).data.length).toBe(10)
  await expect.poll(async () => (await list(askServer, holder())).sync?.complete).toBe(true)
  const { data, next, sync } = await listed(askServer, holder())
  expect(next).toBeNull()
  expect(sync).toEqual({ complete: true, progress: 1, since: null })
  const { pictures, items, drop, keys } = chains.addresses[chainId]
  const of = (contract: Hex) =>
    data.filter(({ address }) => address === `${chainId}:${contract.toLowerCase()}`)
  expect(of(pictures)).toHaveLength(3)
  expect(of(pictures).find(({ tokenId }) => tokenId === '1')).toEqual({
    address: `${chainId}:${pictures.toLowerCase()}`,
    tokenId: '1',
    standard: 'erc721',
    quantity: '1',
    name: 'Sunset #1',
    collection: { name: 'Dev Pictures', symbol: 'dPIC' },
    imageUrl: expect.stringMatching(
      `^${server.url}/v1/nft/${chainId}/${pictures.toLowerCase()}/1/image\\?v=[0-9a-f]{12}$`,
    ),
    metadata: 'ready',
    isSpam: false,
  })
  expect(named(of(items))).toEqual([
    'Shell ready 2',
    'null failed 1',
    'null failed 12',
    'null failed 3',
  ])
  expect(of(drop)).toMatchObject([{ name: 'Voucher 1', imageUrl: null, isSpam: true }])
  expect(named(of(keys))).toHaveLength(2)
})

test('default: a picture of the chain, fit for an img and for nothing else', async () => {
  const { data } = await listed(askServer, holder())
  const url = data.find(({ name }) => name === 'Sunset #1')?.imageUrl ?? ''
  const response = await fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(response.status).toBe(200)
  expect(await response.text()).toMatch(/^<svg xmlns/)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
  })
  const etag = response.headers.get('etag') ?? ''
  const again = await fetch(url, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('behavior: a sent NFT leaves the sender at once and reaches the receiver', async () => {
  const { pictures } = chains.addresses[chainId]
  const [from, to] = [holder(1), holder(8)]
  await expect.poll(async () => (await list(askServer, from)).data.length).toBe(10)
  const before = named((await list(askServer, to)).data)
  const [sent] = (await listed(askServer, from)).data.filter(({ name }) => name?.startsWith('Tide'))
  const args = [from, to, BigInt(sent?.tokenId ?? 0)] as const
  await send({
    from,
    to: pictures,
    data: encodeFunctionData({ abi, functionName: 'safeTransferFrom', args }),
  })
  const left = (await list(askServer, from)).data
  expect(left.map(({ name }) => name)).not.toContain(sent?.name)
  expect(left).toHaveLength(9)
  await expect
    .poll(async () => named((await list(askServer, to)).data))
    .toEqual([...before, `${sent?.name} ready 1`].sort())
})

test('default: one NFT with all that it says', async () => {
  const { pictures, items } = chains.addresses[chainId]
  const { status, json } = await detail(askServer, pictures, 1, `&owner=${holder()}`)
  expect(status).toBe(200)
  expect(nftDetailRoute.result.parse(json)).toMatchObject({
    name: 'Sunset #1',
    quantity: '1',
    description: 'A picture that is drawn by its contract, for development.',
    externalUrl: null,
    attributes: [
      { name: 'Motif', value: 'Sunset' },
      { name: 'Hue', value: '67' },
      { name: 'Edition', value: '1' },
    ],
  })
  expect((await detail(askServer, pictures, 1, `&owner=${holder(2)}`)).json.quantity).toBe('0')
  expect((await detail(askServer, pictures, 1)).json.quantity).toBe('0')
  expect((await detail(askServer, items, 3, `&owner=${holder(2)}`)).json).toMatchObject({
    standard: 'erc1155',
    quantity: '12',
  })
})

test('error: an unknown id, or a contract without NFTs, is 404', async () => {
  const { pictures, usd } = chains.addresses[chainId]
  for (const [contract, id] of [
    [pictures, 99_999],
    [usd, 1],
    [holder(), 1],
  ] as const)
    expect(await detail(askServer, contract, id)).toMatchObject({ status: 404 })
})

test.each([
  ['/v1/account/0x12/nfts?chainId=eip155:31337', 'address'],
  ['/v1/account/7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV/nfts?chainId=eip155:31337', 'address'],
  ['/v1/account/0x0000000000000000000000000000000000000001/nfts?', 'chainId'],
  ['/v1/account/0x0000000000000000000000000000000000000001/nfts?chainId=eip155:9', 'chainId'],
  ['/v1/account/0x0000000000000000000000000000000000000001/nfts?chainId=31337&cursor=x', 'cursor'],
  ['/v1/nft/eip155:9/0x0000000000000000000000000000000000000001/1?', 'chainId'],
  ['/v1/nft/eip155:31337/0x1/1?', 'contract'],
  ['/v1/nft/eip155:31337/0x0000000000000000000000000000000000000001/0x1?', 'tokenId'],
  ['/v1/nft/eip155:31337/0x0000000000000000000000000000000000000001/01?', 'tokenId'],
  [`/v1/nft/eip155:31337/0x0000000000000000000000000000000000000001/${2n ** 256n}?`, 'tokenId'],
  ['/v1/nft/eip155:31337/0x0000000000000000000000000000000000000001/1?owner=0x', 'owner'],
  ['/v1/nft/eip155:31337/0x0000000000000000000000000000000000000001/-1/image?', 'tokenId'],
])('error: %s', async (path, field) => {
  const response = await askServer(`${path}&projectId=local`)
  expect([response.status, (await response.json()).reasons[0].field]).toEqual([400, field])
})

test('error: a missing parameter is named', async () => {
  const response = await askServer(`/v1/account/${holder()}/nfts?projectId=local`)
  expect((await response.json()).reasons).toEqual([
    {
      field: 'chainId',
      description: 'chainId is missing: it must be a string, such as "eip155:1"',
    },
  ])
})

test('error: networks without the area say why; a network that is away is 503', async () => {
  const off = start([], { chain: { ...chainOf(), activity: { source: 'off' as const } } })
  const path = `/v1/account/${holder()}/nfts?projectId=local&chainId=${chainId}`
  const response = await off.ask(path)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('activity.source is off')
  const { pictures } = chains.addresses[chainId]
  const away = start([{ ...heldOf(pictures), standard: 'erc721' }], {
    chain: { ...chainOf(), upstreams: ['http://127.0.0.1:9'] },
  })
  expect((await away.ask(path)).status).toBe(503)
  expect((await detail(away.ask, pictures, 1)).status).toBe(503)
})

const hostile: [string, () => Handler, string][] = [
  ['two megabytes', () => json({ name: 'x'.repeat(2_000_000) }), 'null failed 1'],
  ['a name of 900 kB', () => json({ name: 'x'.repeat(900_000) }), `${'x'.repeat(199)}… ready 1`],
  ['wrong types', () => json({ name: [1], image: {}, attributes: { a: [{}] } }), 'null ready 1'],
  ['no object', () => json('text'), 'null failed 1'],
  ['HTML', () => body('text/html', '<html>'), 'null failed 1'],
  ['broken JSON', () => body('application/json', '{"name":'), 'null failed 1'],
  ['a status', () => (response) => response.writeHead(404).end(), 'null failed 1'],
  ['a redirect inside', () => redirect('http://127.0.0.1:22/'), 'null failed 1'],
  ['plain text', () => body('text/plain', '{"name":"Plain"}'), 'Plain ready 1'],
  ['a line end and a comma too many', () => body('text/plain', '{"name":"a\nb",}'), 'a b ready 1'],
  ['a list with one object', () => json([{ name: 'Listed' }]), 'Listed ready 1'],
  ['odd letters', () => json({ name: 'a\u202eb\0c\ud800' }), 'abc\ufffd ready 1'],
]

test.each(hostile)('behavior: metadata of %s', async (_, handler, expected) => {
  media.files.set(`/hostile/${hexId(1n)}`, handler())
  const contract = await deploy(`${media.url}/hostile/{id}`, [1n])
  const { ask } = start([heldOf(contract)])
  expect(named((await listed(ask, holder())).data)).toEqual([expected])
})

test.each([
  ['nothing', '', 'null none 1'],
  ['a file', 'file:///etc/passwd', 'null failed 1'],
  ['this machine', 'http://127.0.0.1:22/x', 'null failed 1'],
  [
    'JSON itself',
    'data:application/json;utf8,{"name":"100% #{id}"}',
    '100% #'.concat('0'.repeat(63), '1 ready 1'),
  ],
  ['JSON without a data URL', ' {"name":"Bare"}', 'Bare ready 1'],
  ['a data URL of an array', 'data:application/json,[]', 'null failed 1'],
  ['IPFS that leads out', `ipfs://${cid}/../../x`, 'null failed 1'],
])('behavior: a URI of %s', async (_, uri, expected) => {
  const contract = await deploy(uri, [1n])
  const { ask } = start([heldOf(contract)])
  expect(named((await listed(ask, holder())).data)).toEqual([expected])
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const shown: [string, () => unknown, string | number][] = [
  ['a PNG that says it is HTML', () => picture('/a', body('image/html', png)), 'image/png'],
  [
    'an SVG with a script, sandboxed',
    () => picture('/b', body('image/svg+xml', svg)),
    'image/svg+xml',
  ],
  ['bytes of no type', () => picture('/c', (response) => response.end(png)), 'image/png'],
  [
    'HTML that says it is a PNG',
    () => picture('/d', body('image/png', '<html><script>1</script>')),
    404,
  ],
  ['HTML', () => picture('/e', body('text/html', svg)), 404],
  ['a video', () => picture('/f', body('video/mp4', '....ftypisom')), 404],
  [
    'eleven megabytes',
    () => picture('/g', body('image/png', Buffer.concat([png, Buffer.alloc(11e6)]))),
    404,
  ],
  ['a status', () => picture('/h', (response) => response.writeHead(500).end(png)), 404],
  ['a redirect inside', () => picture('/i', redirect('http://127.0.0.1:22/')), 404],
  ['a server of this machine', () => 'http://127.0.0.1:22/a.png', 404],
  ['a path beside the metadata', () => beside('/shown/0.png'), 'image/png'],
  ['an object with a URL', () => ({ url: picture('/j', body('image/png', png)) }), 'image/png'],
  ['a list', () => [picture('/k', body('image/png', png))], 'image/png'],
  ['an SVG after a comment', () => `<!-- x -->${svg}`, 'image/svg+xml'],
  ['{id} in its address', () => beside(`/shown/${hexId(1n)}.png`, '{id}.png'), 'image/png'],
  ['a PNG in itself', () => `data:text/html;base64,${png.toString('base64')}`, 'image/png'],
]

test.each(shown)('behavior: a picture of %s', async (_, image, expected) => {
  media.files.set(`/shown/${hexId(1n)}`, json({ image: image() }))
  const contract = await deploy(`${media.url}/shown/{id}`, [1n])
  const { ask } = start([heldOf(contract)])
  const url = pathOf((await listed(ask, holder())).data[0]?.imageUrl)
  const response = await ask(url)
  expect(response.ok ? response.headers.get('content-type') : response.status).toBe(expected)
  expect(response.headers.get('content-security-policy') ?? 'default-src').toMatch('default-src')
})

const transaction = 'a'.repeat(43)
const pictures: [string, () => string, string][] = [
  ['an SVG in a data URL', () => `data:image/svg+xml;base64,${btoa(svg)}`, 'image/svg+xml'],
  ['an SVG as it is', () => svg, 'image/svg+xml'],
  ['a link to a PNG', () => picture('/uri/a.png', body('image/png', png)), 'image/png'],
  [
    'a PNG of three megabytes',
    () => picture('/uri/b', body('image/png', Buffer.concat([png, Buffer.alloc(3e6)]))),
    'image/png',
  ],
  ['an SVG that says it is XML', () => picture('/uri/c', body('text/xml', svg)), 'image/svg+xml'],
  [
    'a PNG in Arweave',
    () => {
      picture(`/ar/${transaction}/1.png`, body('image/png', png))
      return `ar://${transaction}/1.png`
    },
    'image/png',
  ],
]

test.each(pictures)(
  'behavior: a picture where the metadata is expected: %s',
  async (_, uri, type) => {
    const contract = await deploy(uri(), [1n])
    const { ask } = start([heldOf(contract)])
    const [nft] = (await listed(ask, holder())).data
    expect(nft).toMatchObject({ name: null, metadata: 'ready' })
    expect((await ask(pathOf(nft?.imageUrl))).headers.get('content-type')).toBe(type)
  },
)

test('behavior: metadata in Arweave and by IPNS, with pictures at relative addresses', async () => {
  const files = { ar: `/ar/${transaction}`, ipns: '/ipns/art.example' }
  for (const path of Object.values(files)) {
    media.files.set(`${path}/1.json`, json({ name: path, image: '1.png' }))
    media.files.set(`${path}/1.png`, body('image/png', png))
  }
  const { ask } = start([
    heldOf(await deploy(`ar://${transaction}/1.json`, [1n])),
    heldOf(await deploy('ipns://art.example/1.json', [1n])),
  ])
  const { data } = await listed(ask, holder())
  expect(data.map(({ name }) => name).sort()).toEqual(Object.values(files).sort())
  for (const { imageUrl } of data)
    expect((await ask(pathOf(imageUrl))).headers.get('content-type')).toBe('image/png')
})

test.each([
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  `kept:${'0'.repeat(64)}`,
  'kept:../../etc/passwd',
])('behavior: no picture is %s', async (image) => {
  media.files.set(`/no/${hexId(1n)}`, json({ image }))
  const contract = await deploy(`${media.url}/no/{id}`, [1n])
  const { ask } = start([heldOf(contract)])
  expect((await listed(ask, holder())).data[0]).toMatchObject({ imageUrl: null, metadata: 'ready' })
})

test('behavior: the route of pictures is no proxy: it fetches only pictures that metadata names', async () => {
  media.files.set(`/proxy/${hexId(1n)}`, json({ image: `${media.url}/p.png` }))
  media.files.set('/p.png', body('image/png', png))
  const contract = await deploy(`${media.url}/proxy/{id}`, [1n])
  const { ask } = start([heldOf(contract)])
  const pictureOf = (of: Hex) => `/v1/nft/${chainId}/${of}/1/image`
  const path = pictureOf(contract)
  const before = media.seen.length
  expect((await ask(pictureOf(chains.addresses[chainId].usd))).status).toBe(404)
  expect((await ask(pictureOf(holder()))).status).toBe(404)
  expect(media.seen).toHaveLength(before)
  // A request waits for unknown metadata.
  const picture = async () => (await ask(`${path}?url=${media.url}/other.png`)).status
  await expect.poll(picture).toBe(200)
  expect(media.seen.slice(before)).toEqual([`/proxy/${hexId(1n)}`, '/p.png'])
})

test('behavior: who asks for a picture while its metadata is being claimed waits for it', async () => {
  media.files.set(`/claimed/${hexId(1n)}`, json({ image: `${media.url}/claimed.png` }))
  media.files.set('/claimed.png', body('image/png', png))
  const contract = await deploy(`${media.url}/claimed/{id}`, [1n])
  const claim = holdClaim(server.services.db)
  const { ask } = start([heldOf(contract)], { db: claim.db })
  const asked = list(ask, holder())
  await expect.poll(claim.isHeld).toBe(true)
  const picture = ask(`/v1/nft/${chainId}/${contract}/1/image`)
  // The picture's request reads the claimed row twice: once itself, and once while loading the
  // metadata.
  await expect.poll(claim.lookups).toBe(2)
  await new Promise(setImmediate)
  claim.release()
  expect((await picture).status).toBe(200)
  await asked
})

test('behavior: who asks for a picture whose metadata arrives while its row is read gets it', async () => {
  let arrive = () => {}
  const path = `/arriving/${hexId(1n)}`
  media.files.set(path, (response) => {
    arrive = () => json({ image: `${media.url}/arriving.png` })(response)
  })
  media.files.set('/arriving.png', body('image/png', png))
  const contract = await deploy(`${media.url}/arriving/{id}`, [1n])
  const row = holdAnswer(server.services.db, { kind: 'SelectQueryNode', nth: 2 })
  const { ask } = start([heldOf(contract)], { db: row.db })
  const picture = async () => (await ask(`/v1/nft/${chainId}/${contract}/1/image`)).status
  const first = picture()
  await expect.poll(() => media.seen).toContain(path)
  row.begin()
  const second = picture()
  await expect.poll(row.isHeld).toBe(true)
  arrive()
  expect(await first).toBe(200)
  row.release()
  expect(await second).toBe(200)
})

test('behavior: a picture is fetched once, again after a week, and stays when it is gone', async () => {
  const now = { ms: Date.now() }
  media.files.set(`/once/${hexId(1n)}`, json({ image: `${media.url}/once.png` }))
  media.files.set('/once.png', body('image/png', png))
  const contract = await deploy(`${media.url}/once/{id}`, [1n])
  const { ask } = start([heldOf(contract)], { now })
  const url = pathOf((await listed(ask, holder())).data[0]?.imageUrl)
  const fetches = () => media.seen.filter((path) => path === '/once.png').length
  for (let times = 0; times < 3; times++) expect((await ask(url)).status).toBe(200)
  expect(fetches()).toBe(1)
  media.files.delete('/once.png')
  now.ms += 8 * 24 * 3_600_000
  for (let times = 0; times < 3; times++) expect((await ask(url)).status).toBe(200)
  expect(fetches()).toBe(2)
  now.ms += 301_000
  await ask(url)
  expect(fetches()).toBe(3)
})

test('behavior: a picture in the metadata on the chain is read again after its eviction', async () => {
  const image = `data:image/png;base64,${png.toString('base64')}`
  const contract = await deploy(`data:application/json,${JSON.stringify({ image })}`, [1n])
  const { ask, dir } = start([heldOf(contract)])
  const url = pathOf((await listed(ask, holder())).data[0]?.imageUrl)
  for (const name of await readdir(dir)) await rm(join(dir, name))
  const response = await ask(url)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
})

test('behavior: a picture that is neither stored nor available is requested once in five minutes', async () => {
  const path = `/away/${hexId(1n)}`
  const image = `data:image/png;base64,${png.toString('base64')}`
  media.files.set(path, json({ image }))
  const contract = await deploy(`${media.url}/away/{id}`, [1n])
  const { ask, dir } = start([heldOf(contract)])
  const url = pathOf((await listed(ask, holder())).data[0]?.imageUrl)
  for (const name of await readdir(dir)) await rm(join(dir, name))
  media.files.delete(path)
  for (let times = 0; times < 3; times++) expect((await ask(url)).status).toBe(404)
  expect(media.seen.filter((one) => one === path)).toHaveLength(2)
})

test('behavior: what waits for its turn longer than its claim lasts is not taken on twice', async () => {
  const now = { ms: Date.now() }
  const held: ServerResponse[] = []
  const ids = [1n, 2n, 3n, 5n]
  for (const id of ids) media.files.set(`/queue/${hexId(id)}`, (response) => held.push(response))
  const contract = await deploy(`${media.url}/queue/{id}`, ids)
  const { ask, waiting } = start(
    ids.map((id) => heldOf(contract, id)),
    { now },
  )
  await list(ask, holder())
  expect(waiting()).toBe(4)
  now.ms += 61_000
  const claimed = await claimsOf(contract)
  await list(ask, holder())
  expect(await claimsOf(contract)).toEqual(claimed)
  for (let index = 0; index < 4; index++) {
    await expect.poll(() => held.length).toBeGreaterThan(index)
    held[index]?.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  await expect.poll(waiting).toBe(0)
  expect(held).toHaveLength(4)
})

test('behavior: contracts that eat all the gas or answer megabytes hide no others', async () => {
  const bad = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const address: Hex = `0x${(index + 0xbad000).toString(16).padStart(40, '0')}`
      const code = index % 2 === 0 ? '0x5b600056' : '0x6300a000006000f3'
      await chainRpc('anvil_setCode', [address, code])
      return heldOf(address)
    }),
  )
  const contract = await deploy('data:application/json,{"name":"Good"}', [1n])
  const { ask } = start([...bad, heldOf(contract)])
  expect(named((await listed(ask, holder())).data)).toEqual(['Good ready 1'])
})

test('behavior: a slow read is ready for the next request; a failed read is retried, later each time', async () => {
  const now = { ms: Date.now() }
  const held: ServerResponse[] = []
  const path = `/slow/${hexId(1n)}`
  media.files.set(path, (response) => held.push(response))
  const contract = await deploy(`${media.url}/slow/{id}`, [1n])
  const { ask } = start([heldOf(contract)], { now })
  const state = async () => (await list(ask, holder())).data[0]
  const startedAtMs = performance.now()
  expect(await state()).toMatchObject({ metadata: 'pending', name: null, imageUrl: null })
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
  await expect.poll(() => held.length).toBe(1)
  held[0]?.writeHead(500).end()
  await expect.poll(async () => (await state())?.metadata).toBe('failed')
  const fetches = () => media.seen.filter((one) => one === path).length
  media.files.set(path, (response) => response.writeHead(500).end())
  for (const [index, minutes] of [1, 5, 30, 120, 720, 1440, 1440].entries()) {
    now.ms += minutes * 60_000 - 1_000
    expect((await state())?.metadata).toBe('failed')
    expect(fetches()).toBe(index + 1)
    now.ms += 2_000
    await state()
    await expect.poll(fetches).toBe(index + 2)
    await expect.poll(async () => (await failuresOf(contract)).failures).toBe(index + 2)
  }
  media.files.set(path, json({ name: 'At last' }))
  now.ms += 1441 * 60_000
  await state()
  await expect.poll(state).toMatchObject({ metadata: 'ready', name: 'At last' })
})

test('behavior: read again after a day; unchanged if that fails', async () => {
  const now = { ms: Date.now() }
  const path = `/day/${hexId(1n)}`
  media.files.set(path, json({ name: 'Egg' }))
  const contract = await deploy(`${media.url}/day/{id}`, [1n])
  const { ask } = start([heldOf(contract)], { now })
  const state = async () => (await list(ask, holder())).data[0]
  await expect.poll(state).toMatchObject({ name: 'Egg' })
  media.files.set(path, json({ name: 'Bird' }))
  now.ms += 23 * 3_600_000
  expect(await state()).toMatchObject({ name: 'Egg' })
  now.ms += 2 * 3_600_000
  await expect.poll(state).toMatchObject({ name: 'Bird' })
  media.files.delete(path)
  now.ms += 25 * 3_600_000
  await state()
  await expect.poll(async () => (await failuresOf(contract)).failures).toBe(1)
  expect(await state()).toMatchObject({ name: 'Bird', metadata: 'ready' })
})

test('behavior: a read that a stopping server interrupts has not failed, and the next server repeats it', async () => {
  const now = { ms: Date.now() }
  const stopping = new AbortController()
  const path = `/stops/${hexId(1n)}`
  media.files.set(path, () => {})
  const contract = await deploy(`${media.url}/stops/{id}`, [1n])
  const { ask } = start([heldOf(contract)], { now, stopping: stopping.signal })
  const asked = list(ask, holder())
  await expect.poll(() => media.seen).toContain(path)
  stopping.abort()
  expect(named((await asked).data)).toEqual(['null pending 1'])
  media.files.set(path, json({ name: 'There' }))
  now.ms += 61_000
  const next = start([heldOf(contract)], { now })
  expect(named((await listed(next.ask, holder())).data)).toEqual(['There ready 1'])
})

test('behavior: two processes on one database read each metadata once', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => BigInt(index + 10))
  for (const id of ids) media.files.set(`/two/${hexId(id)}`, json({ name: `Two ${id}` }))
  const contract = await deploy(`${media.url}/two/{id}`, ids)
  const held = ids.map((id) => heldOf(contract, id))
  const [one, two] = [start(held), start(held)]
  await Promise.all([one, two].map(({ ask }) => list(ask, holder())))
  await expect
    .poll(async () => (await list(two.ask, holder())).data.map(({ metadata }) => metadata))
    .toEqual(ids.map(() => 'ready'))
  const seen = media.seen.filter((path) => path.startsWith('/two/'))
  expect(seen.sort()).toEqual(ids.map((id) => `/two/${hexId(id)}`).sort())
})

test('behavior: 130 NFTs by pages, those that are gone left out and pages filled', async () => {
  const ids = Array.from({ length: 130 }, (_, index) => BigInt(index + 1))
  const contract = await deploy('data:application/json,{"name":"{id}"}', ids)
  const gone = Array.from({ length: 40 }, (_, index) => heldOf(contract, BigInt(index + 1_000)))
  const { ask } = start([...gone, ...ids.map((id) => heldOf(contract, id))])
  const pages: Nft[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list(ask, holder(), cursor && `&cursor=${cursor}`)
    pages.push(page.data)
    cursor = page.next
  }
  expect(pages.map((page) => page.length)).toEqual([50, 50, 30])
  expect(pages.flat().map(({ tokenId }) => BigInt(tokenId))).toEqual(ids)
})

test('behavior: an airdrop is spam for its receiver, and not for an account that claimed it', async () => {
  const { drop } = chains.addresses[chainId]
  const [from, to] = [holder(2), drop]
  await send({ from, to, data: encodeFunctionData({ abi, functionName: 'mint', args: [[from]] }) })
  const found = async () =>
    (await list(askServer, from)).data
      .filter(({ address }) => address === `${chainId}:${drop.toLowerCase()}`)
      .map(({ isSpam }) => isSpam)
  await expect.poll(found).toEqual([false, true])
})

test('behavior: NFTs that the account itself acquired are not spam, regardless of their metadata', async () => {
  const contract = await deploy('data:application/json,{"name":"Claim at evil.com"}', [1n])
  const spam = async (more: Partial<HeldNft>) =>
    (await listed(start([{ ...heldOf(contract), ...more }]).ask, holder())).data[0]?.isSpam
  expect([await spam({}), await spam({ ownAct: true })]).toEqual([true, false])
})

test('security: an NFT whose name is an amount of a known token is spam', async () => {
  const contract = await deploy('data:application/json,{"name":"1,000 ETH"}', [1n])
  const { data } = await listed(start([heldOf(contract)]).ask, holder())
  expect(data).toMatchObject([{ name: '1,000 ETH', isSpam: true }])
  expect((await detail(askServer, contract, 1n)).json).toMatchObject({ isSpam: true })
})

test('behavior: metadata without a request for a month is deleted, and the oldest beyond the limit', async () => {
  const { db } = server.services
  await db.deleteFrom('nft_metadata').execute()
  const contract = await deploy('data:application/json,{"name":"{id}"}', [1n, 2n, 3n])
  const now = { ms: Date.now() }
  const at = (days: number, id: bigint) => {
    now.ms = Date.now() + days * 24 * 3_600_000
    return detail(start([], { now }).ask, contract, id)
  }
  await at(0, 1n)
  await at(10, 2n)
  await at(20, 3n)
  const left = async (days: number, most?: number) => {
    const clock = () => Date.now() + days * 24 * 3_600_000
    await sweepMetadata({ db, clock }, most === undefined ? {} : { most })
    const rows = await db
      .selectFrom('nft_metadata')
      .select('token_id')
      .orderBy('token_id')
      .execute()
    return rows.map((row) => row.token_id).join()
  }
  expect(await left(30)).toBe('1,2,3')
  expect(await left(32)).toBe('2,3')
  expect(await left(32, 1)).toBe('3')
  expect(await left(52)).toBe('')
})

type Options = {
  now?: { ms: number }
  chain?: object
  stopping?: AbortSignal
  db?: TestServer['services']['db']
}

/** The area on the server's database, with a separate clock and the given NFTs. */
function start(held: readonly HeldNft[], options: Options = {}) {
  const { services } = server
  const { now, chain = chainOf(), stopping, db = services.db } = options
  const config = { ...services.config, chains: { [chainId]: chain as ReturnType<typeof chainOf> } }
  const clock = () => now?.ms ?? Date.now()
  const kv = createMemoryKv(clock)
  const own = { ...services, db, config, kv, clock, metrics: createMetrics() }
  const activity: Activity = {
    follow: async () => {},
    page: async () => ({ rows: [], next: undefined, isIncomplete: false, hasNewest: true }),
    sync: async () => ({ complete: true, progress: 1, since: null }),
    readTokens: async () => [],
    readChanges: async () => [],
    readNfts: async (_, { offset, limit }) => held.slice(offset, offset + limit),
    readApprovals: async () => [],
    listen: () => () => {},
    stop: async () => {},
  }
  const parts = {
    upstreams: createUpstreams(own),
    outbound: createOutbound(own, { ...(stopping && { stopping }) }),
    activity,
    getListed: indexListedTokens(own, async () => []),
  }
  const nfts = createNfts(own, parts)
  const app = nftRoutes(nfts)
  const ask: Ask = async (path) => app.request(path)
  return { ask, dir: nfts.pictures.dir, waiting: () => nfts.pending.size }
}

/**
 * A database in which the first claim is stored at once but not answered until `release`; `lookups`
 * counts the reads since then.
 */
function holdClaim(of: TestServer['services']['db']) {
  const { begin, ...held } = holdAnswer(of, { kind: 'InsertQueryNode', nth: 1 })
  begin()
  return held
}

/**
 * A database that holds back one answer: the answer to the `nth` query of a kind after `begin`.
 * `lookups` counts the other answers in the meantime.
 */
function holdAnswer(
  of: TestServer['services']['db'],
  { kind, nth }: { kind: 'InsertQueryNode' | 'SelectQueryNode'; nth: number },
) {
  const kept = new WeakSet<object>()
  let count = Number.NEGATIVE_INFINITY
  let lookups = 0
  let isHeld = false
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === kind) {
        count += 1
        if (count === nth) kept.add(queryId)
      }
      return node
    },
    async transformResult({ queryId, result }) {
      if (!kept.has(queryId)) lookups += isHeld ? 1 : 0
      else {
        isHeld = true
        await released
      }
      return result
    },
  }
  const db = of.withPlugin(plugin)
  return {
    db,
    begin: () => {
      count = 0
    },
    lookups: () => lookups,
    isHeld: () => isHeld,
    release: () => release(),
  }
}

/** In the order of ids, because all moved at the same time. */
const heldOf = (contract: Hex, tokenId = 1n): HeldNft => ({
  contract: contract.toLowerCase() as Hex,
  standard: 'erc1155',
  tokenId,
  amount: 1n,
  movedAtMs: tokenId >= 1_000n ? 2 : 1,
})

const failuresOf = (contract: Hex) =>
  server.services.db
    .selectFrom('nft_metadata')
    .select('failures')
    .where('contract', '=', contract)
    .executeTakeFirstOrThrow()

const claimsOf = (contract: Hex) =>
  server.services.db
    .selectFrom('nft_metadata')
    .select(['token_id', 'next_at'])
    .where('contract', '=', contract)
    .orderBy('token_id')
    .execute()

const hexId = (id: bigint) => id.toString(16).padStart(64, '0')
const pathOf = (url: string | null | undefined) => {
  const { pathname, search } = new URL(url ?? '')
  return pathname + search
}

async function chainRpc<Result>(method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(chains.urls[chainId], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: Result; error?: unknown }
  expect(error).toBeUndefined()
  return result
}

async function send(transaction: { from: Hex; to?: Hex; data: Hex }) {
  const hash = await chainRpc<Hex>('eth_sendTransaction', [transaction])
  type Receipt = { contractAddress: Hex | null; status: Hex } | null
  let receipt: Receipt = null
  while (receipt === null) receipt = await chainRpc<Receipt>('eth_getTransactionReceipt', [hash])
  expect(receipt.status).toBe('0x1')
  return receipt
}

/** Deploys a contract of items with this URI. The holder gets one of each id in `ids`. */
async function deploy(uri: string, ids: readonly bigint[]): Promise<Hex> {
  const from = holder(3)
  const itemsAbi = parseAbi(['constructor(string webUri, string ipfsUri)'])
  const created = await send({
    from,
    data: encodeDeployData({ abi: itemsAbi, bytecode, args: [uri, ''] }),
  })
  const to = created.contractAddress ?? '0x'
  const args = [holder(), ids, ids.map(() => 1n)] as const
  await send({ from, to, data: encodeFunctionData({ abi, functionName: 'mint', args }) })
  return to.toLowerCase() as Hex
}

type Handler = (response: ServerResponse) => unknown
const body =
  (type: string, content: string | Buffer): Handler =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(content)
const json = (value: unknown) => body('application/json', JSON.stringify(value))
const redirect =
  (location: string): Handler =>
  (response) =>
    response.writeHead(302, { location }).end()
function picture(path: string, handler: Handler): string {
  media.files.set(path, handler)
  return `${media.url}${path}`
}

/** A PNG at a path of the server, and the relative URI `uri` that names it. */
function beside(path: string, uri = path.slice(path.lastIndexOf('/') + 1)): string {
  picture(path, body('image/png', png))
  return uri
}

/** A server of metadata and pictures, which is also a gateway to IPFS and Arweave. */
async function serveMedia() {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-media-'))
  const files = new Map<string, Handler>()
  const seen: string[] = []
  const http = createServer((request, response) => {
    const path = request.url ?? ''
    seen.push(path)
    response.on('error', () => {})
    const handler = files.get(path)
    if (handler) handler(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const stop = async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
    await rm(dir, { recursive: true, force: true })
  }
  return { dir, files, seen, host, url: `http://${host}`, stop }
}
