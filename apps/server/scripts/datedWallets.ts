import { readFileSync } from 'node:fs'
import { type DatedWallet, mainChains } from './sourceWallet.ts'

/**
 * Wallets of `datedWallets.tsv`: one line for each fact from a dated source. The sources are files,
 * issues and pull requests of public repositories, and packages without their own reader function.
 * They contain no logo. `connects` names the source that shows that the wallet connects to apps,
 * and with which link or rdns, if `source` does not say so.
 */
export function readDatedWallets(): DatedWallet[] {
  const text = readFileSync(new URL('datedWallets.tsv', import.meta.url), 'utf8')
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (name: string) => cells[columns.indexOf(name)] || undefined
    return toWallet(cell)
  })
}

function toWallet(cell: (name: string) => string | undefined): DatedWallet {
  const [name, source, checkedAt] = [cell('name'), cell('source'), cell('checked_at')]
  if (!name || !source || !checkedAt)
    throw new Error(`A line of datedWallets.tsv is incomplete: ${name}`)
  const namespaces = cell('namespaces')?.split(' ') ?? []
  const [connects, app, play, chrome] = ['connects', 'app_store', 'play_store', 'chrome_store'].map(
    cell,
  )
  return {
    name,
    chains: namespaces.map((namespace) => {
      const chain = mainChains[namespace]
      if (!chain) throw new Error(`${name}: ${namespace} is no namespace of the directory`)
      return chain
    }),
    homepage: cell('homepage'),
    mobile: cell('mobile_link'),
    appStore: app && `https://apps.apple.com/app/id${app}`,
    playStore: play && `https://play.google.com/store/apps/details?id=${play}`,
    chromeStore: chrome && `https://chromewebstore.google.com/detail/${chrome}`,
    rdns: cell('rdns'),
    source: connects ? `${source}; ${connects}` : source,
    checkedAt,
  }
}

/**
 * Wallets, by slug, that passed at least 60 % of the checks in a published report of an independent
 * security test, with the name of the report.
 */
export const certified: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['metamask', 'MetaMask 13.8.0 (browser): 81 %'],
    ['rabby', 'Rabby Wallet 0.93.59 (browser): 69 %'],
    ['rainbow', 'Rainbow 1.5.170 (browser): 69 %'],
    ['zerion', 'Zerion 1.30.0 (browser): 62 %'],
  ].map(([slug = '', report]) => [
    slug,
    `Wallet Security Ranking by Coinspect, report of 2026-01-12, ${report} of the checks passed`,
  ]),
)
