import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoredWallet } from '../src/directory/selectWallets.ts'
import { certified, readDatedWallets } from './datedWallets.ts'
import { drawPicture } from './drawPicture.ts'
import { type NpmPackage, unpack } from './npmPackage.ts'
import { ownNetworks, ownTokens } from './ownImages.ts'
import {
  corrections,
  dappLinks,
  ended,
  iconWallets,
  knownIds,
  networkIcons,
  popular,
  tokenIcons,
} from './pictures.ts'
import { readAdapter } from './readAdapter.ts'
import { readBigmi } from './readBigmi.ts'
import { readOnboard } from './readOnboard.ts'
import { readRainbowKit } from './readRainbowKit.ts'
import { readWalletBook } from './readWalletBook.ts'
import { readWeb3Icon } from './readWeb3Icon.ts'
import { type DatedWallet, mainChains, type SourceWallet, toSlug } from './sourceWallet.ts'

// Builds apps/server/data from packages of the npm registry:
// `npm run directory -w @latchkey/server`. Packages are read as text; none of their code runs. The
// result is committed; the server itself needs none of this.
const data = fileURLToPath(new URL('../data', import.meta.url))
const images = join(data, 'images')
const solanaAdapters = (
  'bitkeep@0.3.25 bitpie@0.5.23 clover@0.4.24 coin98@0.5.25 coinhub@0.3.23 ' +
  'huobi@0.1.20 hyperpay@0.1.19 keystone@0.1.20 krystal@0.1.17 ledger@0.9.30 mathwallet@0.9.23 neko@0.2.17 ' +
  'nightly@0.1.21 nufi@0.1.22 onto@0.1.12 phantom@0.9.30 safepal@0.5.23 saifu@0.1.20 salmon@0.1.19 sky@0.1.20 ' +
  'solflare@0.6.34 spot@0.1.20 tokenary@0.1.17 tokenpocket@0.4.24 trezor@0.1.7 ' +
  'trust@0.1.18'
).split(' ')

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** A UUID (RFC 9562 version 8) that depends on the picture alone. */
const getUuid = (content: Buffer) =>
  sha256(content).replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    (_, a: string, b: string, c: string, d: string, e: string) => `${a}-${b}-8${c}-8${d}-${e}`,
  )

function readSources(folder: string, icons: NpmPackage): DatedWallet[] {
  const rainbow = unpack(folder, '@rainbow-me/rainbowkit@2.2.11')
  const onboard = unpack(folder, '@web3-onboard/injected-wallets@2.11.3')
  const bigmi = unpack(folder, '@bigmi/client@0.10.1')
  const walletBook = unpack(folder, '@dynamic-labs/wallet-book@5.8.1')
  const adapter = (spec: string, chain = '') => {
    const adapterPackage = unpack(folder, spec)
    const wallet = readAdapter(adapterPackage.folder, chain)
    return wallet ? addSource(adapterPackage, [wallet]) : []
  }
  const more = iconWallets.flatMap(({ icon: file, name, homepage, chain }): SourceWallet[] => {
    const icon = readWeb3Icon(icons.folder, 'wallets', file)
    return icon ? [{ name, icon, homepage, chains: [chain] }] : []
  })
  // An icon shows neither that the wallet is still there nor how it connects.
  const pictures = more.map((wallet) => ({ ...wallet, source: icons.spec, checkedAt: '' }))
  return [
    ...addSource(rainbow, readRainbowKit(rainbow.folder)),
    ...addSource(onboard, readOnboard(onboard.folder)),
    ...solanaAdapters.flatMap((name) =>
      adapter(`@solana/wallet-adapter-${name}`, mainChains.solana),
    ),
    ...adapter('@tronweb3/tronwallet-adapter-tronlink-evm@1.2.1', mainChains.eip155),
    ...pictures,
    ...addSource(walletBook, readWalletBook(walletBook.folder)),
    ...addSource(bigmi, readBigmi(bigmi.folder)),
    ...readDatedWallets(),
  ]
}

const addSource = ({ spec, publishedAt }: NpmPackage, wallets: readonly SourceWallet[]) =>
  wallets.map((wallet) => ({ ...wallet, source: spec, checkedAt: publishedAt }))

/**
 * One entry for each wallet: the first source that has a fact wins; chains and injected flags are
 * combined.
 */
function merge(sources: readonly DatedWallet[]): Map<string, DatedWallet[]> {
  const bySlug = new Map<string, DatedWallet[]>()
  for (const source of sources) {
    const slug = toSlug(source.name)
    if (ended.includes(slug)) continue
    bySlug.set(slug, [...(bySlug.get(slug) ?? []), source])
  }
  return bySlug
}

const neverLinks = /^(?:javascript|data|vbscript|file|blob|about|http|ftp|ws|wss|mailto|intent):/i

/** A link that may be opened: https, or an app's own scheme. */
function safeLink(link: string | undefined, schemes: 'https' | 'app'): string | null {
  if (link === undefined || !URL.canParse(link) || neverLinks.test(link)) return null
  if (link.startsWith('https://')) return link
  return schemes === 'app' && /^[a-z][a-z0-9+.-]*:\/\/[\w./-]*$/.test(link) ? link : null
}

async function buildWallet(slug: string, sources: readonly DatedWallet[]) {
  const [first] = sources
  if (first === undefined) return undefined
  const image = await drawPicture(first.name, sources)
  const newest = sources.reduce((a, b) => (b.checkedAt > a.checkedAt ? b : a))
  if (newest.checkedAt === '') throw new Error(`${first.name} has a logo and no dated source`)
  const pick = (key: Exclude<keyof SourceWallet, 'chains' | 'injected'>) =>
    sources.map((source) => source[key]).find((value) => value !== undefined)
  const rdns = pick('rdns')
  const injected = sources.flatMap((source) => (source.injected ? [source.injected] : []))
  const flags = new Map(injected.map((entry) => [entry.injected_id, entry]))
  const wallet: StoredWallet = {
    id: knownIds[slug] ?? sha256(slug),
    name: first.name,
    homepage: safeLink(corrections[slug]?.homepage ?? pick('homepage'), 'https'),
    image_id: getUuid(image),
    mobile_link: safeLink(corrections[slug]?.mobile ?? pick('mobile'), 'app'),
    link_mode: null,
    desktop_link: safeLink(pick('desktop'), 'app'),
    webapp_link: safeLink(corrections[slug]?.webapp, 'https'),
    ...(dappLinks[slug] && { dapp_link: dappLinks[slug] }),
    app_store: safeLink(pick('appStore'), 'https'),
    play_store: safeLink(pick('playStore'), 'https'),
    chrome_store: safeLink(pick('chromeStore'), 'https'),
    rdns: rdns && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(rdns) ? rdns : null,
    injected: flags.size > 0 ? [...flags.values()] : null,
    chains: [...new Set(sources.flatMap(({ chains }) => chains))],
    badge_type: certified[slug] ? 'certified' : 'none',
    ...(certified[slug] && { badge_source: certified[slug] }),
    source: newest.source,
    checked_at: newest.checkedAt,
  }
  // Nothing would lead to the wallet.
  const ways = [wallet.homepage, wallet.mobile_link, wallet.app_store, wallet.play_store]
  if (![...ways, wallet.chrome_store, wallet.rdns, wallet.injected].some(Boolean)) return undefined
  return { slug, wallet, image }
}

const getRank = (slug: string) => {
  const rank = popular.indexOf(slug)
  return rank < 0 ? popular.length : rank
}

async function buildWallets(sources: readonly DatedWallet[]): Promise<number> {
  const built = await Promise.all(
    [...merge(sources)].map(([slug, list]) => buildWallet(slug, list)),
  )
  const entries = built
    .filter((entry) => entry !== undefined)
    .sort((a, b) => getRank(a.slug) - getRank(b.slug) || a.slug.localeCompare(b.slug, 'en'))
  const wallets = entries.map(({ wallet }, index) => ({ ...wallet, order: index + 1 }))
  for (const { wallet, image } of entries)
    writeFileSync(join(images, 'wallets', `${wallet.image_id}.webp`), image)
  writeFileSync(join(data, 'wallets.json'), `${JSON.stringify(wallets, null, 1)}\n`)
  return wallets.length
}

function buildPictures(icons: string): string[] {
  const missing: string[] = []
  const write = (kind: string, name: string, svg: string | undefined) => {
    if (svg === undefined) missing.push(`${kind}/${name}`)
    else writeFileSync(join(images, kind, `${name}.svg`), svg)
  }
  for (const [id, name] of Object.entries(networkIcons))
    write('networks', id, readWeb3Icon(icons, 'networks', name))
  for (const [id, svg] of Object.entries(ownNetworks)) write('networks', id, svg)
  for (const symbol of tokenIcons) write('tokens', symbol, readWeb3Icon(icons, 'tokens', symbol))
  for (const [symbol, svg] of Object.entries(ownTokens)) write('tokens', symbol, svg)
  return missing
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-directory-'))
try {
  const icons = unpack(folder, '@web3icons/core@4.0.56')
  const sources = readSources(folder, icons)
  for (const kind of ['wallets', 'networks', 'tokens']) {
    rmSync(join(images, kind), { recursive: true, force: true })
    mkdirSync(join(images, kind), { recursive: true })
  }
  const count = await buildWallets(sources)
  const missing = buildPictures(icons.folder)
  process.stdout.write(`${count} wallets from ${sources.length} entries\n`)
  if (missing.length > 0) process.stdout.write(`no picture: ${missing.join(', ')}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
