import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceWallet } from './sourceWallet.ts'

// Not wallets but ways to connect.
const notWallets = new Set(['injected', 'walletConnect'])

/** Facts and logos from @rainbow-me/rainbowkit (MIT), read as text; none of its code runs. */
export function readRainbowKit(folder: string): SourceWallet[] {
  const directory = join(folder, 'dist/wallets/walletConnectors')
  const files = readdirSync(directory).filter((file) => /^chunk-.*\.js$/.test(file))
  return files.flatMap((file) => {
    const text = readFileSync(join(directory, file), 'utf8')
    const wallet = readWallet(text, directory)
    return wallet ? [wallet] : []
  })
}

function readWallet(text: string, directory: string): SourceWallet | undefined {
  const field = (name: string) => new RegExp(`\\b${name}: "([^"]+)"`).exec(text)?.[1]
  const id = field('id')
  const name = field('name')
  const iconFile = /import\("\.\/([\w-]+\.js)"\)\)\.default/.exec(text)?.[1]
  if (!id || !name || !iconFile || notWallets.has(id)) return undefined
  const icon = /"(data:image\/[^"]+)"/.exec(readFileSync(join(directory, iconFile), 'utf8'))?.[1]
  if (!icon) return undefined
  const flag = /flag: "(\w+)"/.exec(text)?.[1]
  const desktopAt = text.indexOf('desktop: {')
  const homepage = getOrigin(field('browserExtension') ?? field('learnMoreUrl') ?? field('desktop'))
  return {
    name,
    icon,
    chains: ['eip155:1'],
    homepage,
    mobile: linkIn(text),
    desktop: desktopAt < 0 ? undefined : linkIn(text.slice(desktopAt)),
    appStore: field('ios'),
    playStore: field('android'),
    chromeStore: field('chrome'),
    rdns: field('rdns'),
    injected: flag === undefined ? undefined : { namespace: 'eip155', injected_id: flag },
  }
}

// The base of a link, for example of `metamask://wc?uri=…`.
function linkIn(text: string): string | undefined {
  const links = [...text.matchAll(/`([a-z][a-z0-9+.-]*:\/\/[^`$?\s]*?)wc\?uri=\$/g)]
  const bases = links.map(([, base]) => base)
  return bases.find((base) => !base?.startsWith('http')) ?? bases[0]
}

function getOrigin(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { origin, hostname } = new URL(url)
  const store = /(^|\.)(google|apple|medium|github|mozilla|notion|gitbook)\.(com|org|io|so)$/
  return store.test(hostname) ? undefined : origin
}
