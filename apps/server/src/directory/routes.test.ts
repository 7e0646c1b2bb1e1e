import { getWalletsRoute } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { imageAliases } from './imageAliases.ts'
import { directoryRoutes } from './routes.ts'
import type { StoredWallet } from './selectWallets.ts'

const app = directoryRoutes()
const list = async (query: string) => {
  const response = await app.request(`/getWallets?projectId=local${query}`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { count: number; data: StoredWallet[] }
  expect(getWalletsRoute.result.parse(body).count).toBe(body.count)
  return body
}
const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

test('default: the first page, the best known first, at least 150 in all', async () => {
  const page = await list('')
  expect(page.data.length).toBe(40)
  expect(page.count).toBeGreaterThanOrEqual(150)
  expect(page.data[0]).toMatchObject({
    id: 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
    name: 'MetaMask',
    rdns: 'io.metamask',
    order: 1,
  })
})

test('default: the data set is sound', async () => {
  const { count } = await list('')
  const pages = await Promise.all([1, 2].map((page) => list(`&entries=100&page=${page}`)))
  const wallets = pages.flatMap(({ data }) => data)
  expect(wallets.length).toBe(count)
  expect(new Set(wallets.map(({ id }) => id)).size).toBe(count)
  for (const wallet of wallets) {
    expect(wallet.id).toMatch(/^[0-9a-f]{64}$/)
    for (const link of [wallet.homepage, wallet.webapp_link, wallet.app_store, wallet.play_store])
      expect(link ?? 'https://').toMatch(/^https:\/\//)
    for (const link of [wallet.mobile_link, wallet.desktop_link])
      expect(link ?? 'a://').not.toMatch(/^(?:javascript|data|http|file):/)
    for (const source of wallet.source.split('; '))
      expect(source).toMatch(
        /^(?:@[\w.-]+\/[\w-]+@\d+\.\d+\.\d+(?:-[\w.-]+)?|Walletbeat, [\w./-]+\.ts|WalletScrutiny, [\w./-]+\.md|[\w-]+\/[\w-]+, (?:[\w./-]+\.\w+|(?:issues|pull)\/\d+))$/,
      )
    expect(wallet.checked_at).toMatch(/^202\d-[01]\d-[0-3]\d$/)
    // Older facts show nothing about today.
    expect(wallet.checked_at >= '2024-11-01').toBe(true)
    const { name, homepage, mobile_link, app_store, play_store, chrome_store, rdns } = wallet
    const ways = [homepage, mobile_link, app_store, play_store, chrome_store, rdns, wallet.injected]
    expect([name, ways.some(Boolean)]).toEqual([name, true])
    const image = await app.request(`/getWalletImage/${wallet.image_id}`)
    expect(image.status).toBe(200)
    expect(image.headers.get('content-type')).toBe('image/webp')
  }
})

test('default: no wallet is there twice', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`&entries=100&page=${page}`)))
  const wallets = pages.flatMap(({ data }) => data)
  const names = wallets.map(({ name }) => name.toLowerCase().replace(/wallet|[^a-z0-9]/g, ''))
  const rdns = wallets.flatMap((wallet) => wallet.rdns ?? [])
  const stores = wallets.flatMap(({ app_store, play_store, chrome_store }) =>
    [
      /\bid\d{6,}/.exec(app_store ?? '')?.[0],
      /\bid=[\w.]+/.exec(play_store ?? '')?.[0],
      /[a-p]{32}/.exec(chrome_store ?? '')?.[0],
    ].filter((id) => id !== undefined),
  )
  for (const ids of [names, rdns, stores]) expect([...ids].sort()).toEqual([...new Set(ids)].sort())
})

test('behavior: wallets that have shut down are not offered', async () => {
  const ended =
    'ctrl porto torus avana liquality mykey blockwallet solong unipass bitski taho xdefi leap compass magic loopring ' +
    'apex atoken clave daimo dawn desig elytro family fractal frontier infinity nest omni pillar ramper squads venly'
  for (const search of ended.split(' ')) expect((await list(`&search=${search}`)).data).toEqual([])
})

test('param: page and entries cut without gap or overlap; beyond the end is empty', async () => {
  const whole = namesOf(await list('&entries=30'))
  const parts = await Promise.all([1, 2, 3].map((page) => list(`&entries=10&page=${page}`)))
  expect(parts.flatMap(namesOf)).toEqual(whole)
  const { count, data } = await list('&page=1000')
  expect(data).toEqual([])
  expect(count).toBeGreaterThanOrEqual(100)
})

test('param: search, names, rdns, include, exclude', async () => {
  expect(namesOf(await list('&search=%20METAmask%20'))).toEqual(['MetaMask'])
  expect(namesOf(await list('&names=phantom,rainbow'))).toEqual(['Phantom', 'Rainbow'])
  expect(namesOf(await list('&rdns=io.rabby,me.rainbow'))).toEqual(['Rainbow', 'Rabby Wallet'])
  const [first, second] = (await list('')).data
  const both = `${first?.id},${second?.id}`
  expect((await list(`&include=${both},unknown`)).count).toBe(2)
  expect(namesOf(await list(`&include=${both}&exclude=${first?.id}`))).toEqual([second?.name])
})

test('error: chains that are neither networks nor namespaces are refused', async () => {
  for (const chains of ['foo', 'eip155:1,foo', 'eip155:', ':1', 'eip155:1:0x1', '-1', '1.5']) {
    const response = await app.request(`/getWallets?projectId=local&chains=${chains}`)
    expect([chains, response.status]).toEqual([chains, 400])
    expect((await response.json()).reasons[0]).toMatchObject({ field: 'chains' })
  }
  const all = (await list('&chains=eip155:31337')).count
  for (const chains of ['eip155', '1', 'EIP155:1', 'eip155:1,,', 'cosmos:cosmoshub-4,eip155:1'])
    expect([chains, (await list(`&chains=${chains}`)).count]).toEqual([chains, all])
})

test('param: chains match by namespace, together with the other filters', async () => {
  const solana = await list('&entries=100&chains=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
  expect(namesOf(solana)).toContain('Solflare')
  expect(namesOf(solana)).not.toContain('MetaMask')
  expect(namesOf(await list('&chains=eip155:31337&search=metamask'))).toEqual(['MetaMask'])
  expect((await list('&chains=cosmos:x')).count).toBe(0)
  expect(namesOf(await list('&chains=bip122'))).toContain('Leather')
  const polkadot = namesOf(await list('&chains=polkadot'))
  expect(polkadot).toEqual(expect.arrayContaining(['Talisman', 'PolkaGate']))
  expect(polkadot).not.toContain('MetaMask')
  expect(namesOf(await list('&platform=ios&search=rainbow'))).toEqual(['Rainbow'])
})

test('param: badge_type and badge: certified wallets name the report, and no other wallet does', async () => {
  const certified = await list('&badge_type=certified')
  expect(namesOf(certified)).toEqual(['MetaMask', 'Rainbow', 'Rabby Wallet', 'Zerion'])
  for (const { badge_type, badge_source } of certified.data)
    expect([badge_type, badge_source]).toEqual([
      'certified',
      expect.stringMatching(/^Wallet Security Ranking by Coinspect, report of 20\d\d-\d\d-\d\d, /),
    ])
  const others = await list('&badge=none&entries=100')
  expect(others.count).toBe((await list('')).count - certified.count)
  expect(others.data.filter(({ badge_source }) => badge_source !== undefined)).toEqual([])
  expect((await list('&badge=certified&search=metamask')).count).toBe(1)
  expect((await list('&badge_type=certified&search=trust')).count).toBe(0)
  // No wallet has this badge, and a list without wallets would be no choice.
  expect((await list('&badge_type=unknown')).count).toBe((await list('')).count)
})

test('param: search finds wallets whose facts come from dated files of repositories', async () => {
  expect((await list('&rdns=me.vultisig')).data).toMatchObject([
    { name: 'Vultisig', checked_at: '2026-08-05' },
  ])
  expect((await list('&search=kastle')).data).toMatchObject([
    {
      source:
        'forbole/kastle, docs/ai/design/2026-09-19-feature-zkas-support.md; forbole/kastle, pull/141',
      checked_at: '2026-09-19',
    },
  ])
  expect((await list('&search=cypherock')).data).toMatchObject([
    {
      source: 'Cypherock/cypherock-cysync, pull/887; Cypherock/cypherock-cysync, pull/394',
      checked_at: '2026-06-15',
    },
  ])
  const [edge] = (await list('&search=edge%20wallet')).data
  expect(edge?.source).toBe('WalletScrutiny, _iphone/co.edgesecure.app.md; @depay/widgets@13.0.45')
})

test.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'entries=0', 'entries=101', 'entries=1e1'])(
  'error: %s',
  async (query) => {
    const response = await app.request(`/getWallets?projectId=local&${query}`)
    expect(response.status).toBe(400)
    const field = query.split('=')[0]
    expect(await response.json()).toMatchObject({ status: 'FAILED', reasons: [{ field }] })
  },
)

test.each([
  '/public/getAssetImage/eip155-1',
  '/public/getAssetImage/eip155-31337',
  '/public/getAssetImage/solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  '/public/getAssetImage/bip122-000000000019d6689c085ae165831e93',
  '/public/getTokenImage/usdc',
  '/public/getTokenImage/dUSD',
  '/public/getCurrencyImage/USD',
])('default: %s is an SVG that can do nothing, cached by its tag', async (path) => {
  const response = await app.request(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  )
  expect(await response.text()).not.toMatch(
    /<script|javascript:|\son\w+=|https?:\/\/(?!www\.w3\.org)/i,
  )
  const etag = response.headers.get('etag') ?? ''
  const again = await app.request(path, { headers: { 'if-none-match': `"other", W/${etag}` } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('behavior: image ids of older clients lead to our images', async () => {
  const read = async (id: string) => {
    const response = await app.request(`/public/getAssetImage/${id}`)
    return [response.status, await response.text()]
  }
  for (const [alias, id] of Object.entries(imageAliases)) {
    expect(await read(alias)).toEqual(await read(id))
    expect(await read(alias.toUpperCase())).toEqual([200, expect.anything()])
  }
})

test.each([
  '/getWalletImage/nothing',
  '/getWalletImage/..%2F..%2F..%2Fpackage.json',
  '/public/getAssetImage/__proto__',
  '/public/getTokenImage/%00',
  '/public/getCurrencyImage/constructor',
])('error: %s is not there', async (path) => {
  const response = await app.request(path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ status: 'FAILED' })
})
