import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chains, type Media, startChains, startMedia } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIdentities } from '../../test/askIdentities.ts'
import { devNames } from '../../test/devNames.ts'
import { chainWith } from '../../test/makeServices.ts'

const one = 'eip155:31337'
const two = 'eip155:31338'
const name = 'pat.latchkey.eth'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
let chains: Chains
let media: Media
let dir: string
let web: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-avatars-'))
  ;[chains, media, web] = await Promise.all([startChains(), startMedia({ port: 0 }), serve()])
  const { take, setAddress, setReverse } = devNames(chains)
  await take(name)
  await setAddress(name, accountAt(5))
  await setReverse(accountAt(5), name)
})
afterAll(async () => {
  await Promise.all([chains?.stop(), media?.stop(), web?.stop()])
  await rm(dir, { recursive: true, force: true })
})

const accountAt = (index: number) => chains.accounts[index]?.address ?? '0x'
const place = (id: typeof one | typeof two) => chains.addresses[id]
const hostOf = (url: string) => new URL(url).host

function start(nftPictures: Record<string, string | null> = {}) {
  const ens = { registry: place(one).ensRegistry }
  const configured = {
    [one]: { ...chainWith([chains.urls[one]]), ens },
    [two]: chainWith([chains.urls[two]]),
  }
  return askIdentities(configured, {
    allow: [hostOf(media.url), web.at],
    ipfsGateway: media.url,
    dir,
    nftPictures: new Map(Object.entries(nftPictures)),
  })
}

/** The server's response for an avatar: its URL, and the content of that URL. */
async function avatarOf(record: string, app = start()) {
  await devNames(chains).setText(name, 'avatar', record)
  const { body } = await app.ask(accountAt(5))
  expect(body.name).toBe(name)
  if (body.avatar === null) return null
  const response = await app.get(body.avatar)
  const type = response.headers.get('content-type')
  return { url: body.avatar, status: response.status, type, response }
}

/** A web server in this process, which responds by path; `seen` are the requested paths. */
async function serve() {
  const seen: string[] = []
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/png': (response) => response.setHeader('content-type', 'image/png').end(png),
    '/html': (response) => response.setHeader('content-type', 'text/html').end('<html>'),
    '/disguised': (response) => response.setHeader('content-type', 'image/png').end('<html>'),
    '/svg-as-png': (response) => response.setHeader('content-type', 'image/png').end(svg),
    '/inside': (response) =>
      response.writeHead(302, { location: `http://localhost:${new URL(at).port}/png` }).end(),
    '/large': (response) =>
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(11 * 1024 * 1024)),
  }
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.on('error', () => {})
    answers[request.url ?? '']?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: at, at: hostOf(at), seen, stop }
}

test('default: a picture on the web, shown by us', async () => {
  const shown = await avatarOf(`${media.url}/items/lantern.png`)
  expect(shown).toMatchObject({ status: 200, type: 'image/png' })
  expect(shown?.url).toMatch(
    /^http:\/\/127\.0\.0\.1:3000\/v1\/identity\/0x\w{40}\/avatar\?v=\w{12}$/,
  )
  expect((await shown?.response.arrayBuffer())?.byteLength).toBe(47_005)
})

test('behavior: pictures on IPFS come through the gateway; pictures in the record need no request', async () => {
  const shell = 'ipfs://bafkreiezjnd662dkdwhxba3few6cwyp62c5uytavq7ycqyy3u7wcnupepm'
  expect(await avatarOf(shell)).toMatchObject({ status: 200, type: 'image/png' })
  expect(await avatarOf(`data:image/png;base64,${png.toString('base64')}`)).toMatchObject({
    status: 200,
    type: 'image/png',
  })
})

test('behavior: a picture in the record is stored on disk, and stored again after it had to make room', async () => {
  const large = Buffer.concat([png, Buffer.alloc(2_000)])
  const record = `data:image/png;base64,${large.toString('base64')}`
  const clock = { ms: Date.now() }
  const app = askIdentities(
    { [one]: { ...chainWith([chains.urls[one]]), ens: { registry: place(one).ensRegistry } } },
    { dir, clock: () => clock.ms },
  )
  const shown = await avatarOf(record, app)
  const bytes = (await shown?.response.arrayBuffer()) ?? new ArrayBuffer(0)
  expect(new Uint8Array(bytes)).toEqual(Uint8Array.from(large))
  const hash = createHash('sha256').update(large).digest('hex')
  await rm(join(dir, hash))
  expect((await app.get(shown?.url ?? '')).status).toBe(404)
  clock.ms += 300_001
  expect((await app.get(shown?.url ?? '')).status).toBe(200)
})

test('behavior: a disk that takes nothing leaves the name, without a picture for now', async () => {
  const file = join(dir, 'file')
  await writeFile(file, '')
  const ens = { registry: place(one).ensRegistry }
  const { ask } = askIdentities({ [one]: { ...chainWith([chains.urls[one]]), ens } }, { dir: file })
  await devNames(chains).setText(name, 'avatar', `data:image/png;base64,${png.toString('base64')}`)
  expect(await ask(accountAt(5))).toMatchObject({
    cache: 'public, max-age=30, s-maxage=30',
    body: { name, avatar: null },
  })
})

test('behavior: an SVG can do nothing, and has its own content type regardless of its server', async () => {
  for (const record of [`data:image/svg+xml,${encodeURIComponent(svg)}`, `${web.url}/svg-as-png`]) {
    const shown = await avatarOf(record)
    expect(shown).toMatchObject({ status: 200, type: 'image/svg+xml' })
    const { headers } = shown?.response ?? new Response()
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('behavior: the picture is known again by its etag', async () => {
  const app = start()
  const shown = await avatarOf(`${web.url}/png`, app)
  const etag = shown?.response.headers.get('etag') ?? ''
  const again = await app.get(shown?.url ?? '', { 'if-none-match': etag })
  expect(again.status).toBe(304)
  const before = web.seen.length
  await app.get(shown?.url ?? '')
  expect(web.seen.length).toBe(before)
})

test('behavior: the avatar of a name is another URL when it is another picture', async () => {
  const { setText } = devNames(chains)
  await setText(name, 'avatar', `${web.url}/png`)
  const app = start()
  const first = (await app.ask(`name/${name}?chainId=${two}`)).body.avatar
  expect((await app.get(first)).status).toBe(200)
  expect(first).toContain(`/v1/identity/name/${name}/avatar?chainId=${two}&v=`)
  await setText(name, 'avatar', `${media.url}/items/compass.svg`)
  expect((await start().ask(`name/${name}?chainId=${two}`)).body.avatar).not.toBe(first)
})

test('behavior: an NFT is the avatar of its holder, with the picture that the NFT area shows', async () => {
  const { pictures, items } = place(one)
  const shownAt = 'http://127.0.0.1:3000/v1/nft/image'
  const key = (contract: string, token: number) => `${one}/${contract.toLowerCase()}/${token}`
  const known = { [key(pictures, 1)]: shownAt, [key(items, 2)]: shownAt, [key(items, 3)]: null }
  const { setText, setAddress, setReverse } = devNames(chains)
  await setAddress(name, accountAt(0))
  await setReverse(accountAt(0), name)
  const avatar = async (record: string) => {
    await setText(name, 'avatar', record)
    const { body, cache } = await start(known).ask(accountAt(0))
    expect(body.name).toBe(name)
    return [body.avatar, cache?.slice(8, 19)]
  }
  expect(await avatar(`${one}/erc721:${pictures}/1`)).toEqual([shownAt, 'max-age=300'])
  expect(await avatar(`${one}/ERC721:${pictures.toLowerCase()}/001`)).toEqual([
    shownAt,
    'max-age=300',
  ])
  expect(await avatar(`${one}/erc1155:${items}/2`)).toEqual([shownAt, 'max-age=300'])
  const none = [null, 'max-age=300']
  // No picture: the NFT belongs to another account, has no owner, no contract, or is on a network
  // that is not configured.
  expect(await avatar(`${one}/erc1155:${items}/3`)).toEqual(none)
  expect(await avatar(`${one}/erc721:${pictures}/2`)).toEqual(none)
  expect(await avatar(`${one}/erc721:${pictures}/999`)).toEqual(none)
  expect(await avatar(`${one}/erc1155:${items}/99`)).toEqual(none)
  expect(await avatar(`${one}/erc721:${accountAt(0)}/1`)).toEqual(none)
  expect(await avatar(`eip155:5/erc721:${pictures}/1`)).toEqual(none)
  expect(await avatar(`${one}/erc721:${pictures}/${'9'.repeat(78)}`)).toEqual(none)
  // Unknown, so it is requested again soon.
  expect(await avatar(`${one}/erc1155:${items}/1`)).toEqual([null, 'max-age=30,'])
  await setAddress(name, accountAt(5))
  await setReverse(accountAt(0), 'alice.latchkey.eth')
})

test('behavior: what we would not fetch is no avatar', async () => {
  const records = [
    'http://example.com/a.png',
    `http://localhost:${new URL(web.url).port}/png`,
    'https://user:word@example.com/a.png',
    'https://example.com:8443/a.png',
    // This server itself.
    'https://127.0.0.1/a.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ipfs://nothing',
    'data:text/html,<html>',
    'data:image/png;base64,AAAA',
    `kept:${'0'.repeat(64)}`,
    'not a URL',
    '0x1234',
    `https://example.com/${'a'.repeat(3_000)}`,
  ]
  const { length } = web.seen
  for (const record of records) expect([record, await avatarOf(record)]).toEqual([record, null])
  expect(web.seen.length).toBe(length)
})

test('error: a missing or unavailable picture is not shown', async () => {
  const { length } = web.seen
  const records = [
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.2/a.png',
    'https://[::1]/a.png',
    'https://10.0.0.1/a.png',
    `${web.url}/html`,
    `${web.url}/disguised`,
    `${web.url}/inside`,
    `${web.url}/large`,
    `${media.url}/items/none.png`,
  ]
  for (const record of records)
    expect([record, await avatarOf(record)]).toMatchObject([
      record,
      { status: 404, type: 'application/json' },
    ])
  expect(web.seen.slice(length)).toEqual(['/html', '/disguised', '/inside', '/large'])
})

test('error: no avatar, no name or no address', async () => {
  const { get } = start()
  expect((await get(`/v1/identity/${accountAt(7)}/avatar`)).status).toBe(404)
  expect((await get('/v1/identity/name/carol.latchkey.eth/avatar')).status).toBe(404)
  expect((await get('/v1/identity/0x12/avatar')).status).toBe(400)
  expect((await get('/v1/identity/name/nobody/avatar')).status).toBe(400)
})
