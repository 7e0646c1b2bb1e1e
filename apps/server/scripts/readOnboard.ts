import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceWallet } from './sourceWallet.ts'

// An entry for any injected wallet, which is not a wallet itself, and a wallet whose logo is not in
// the package.
const notWallets = new Set(['Detected'])

/**
 * Names, links and logos from @web3-onboard/injected-wallets (MIT), read as text; none of its code
 * runs.
 */
export function readOnboard(folder: string): SourceWallet[] {
  const dist = join(folder, 'dist')
  const tables = readFileSync(join(dist, 'types.js'), 'utf8')
  const table = (name: string) =>
    new Map(
      [...tables.matchAll(new RegExp(`${name}\\["(\\w+)"\\] = "([^"]+)"`, 'g'))].map(
        ([, key = '', value = '']) => [key, value],
      ),
    )
  const labels = table('ProviderLabel')
  const flags = table('ProviderIdentityFlag')
  const urls = table('ProviderExternalUrl')
  const parts = readFileSync(join(dist, 'wallets.js'), 'utf8').split(/\nconst \w+ = \{\n/)
  return parts.flatMap((part): SourceWallet[] => {
    const label = /label: ProviderLabel\.(\w+)/.exec(part)?.[1] ?? ''
    const name = labels.get(label)
    const iconFile = /import\('\.\/icons\/([\w-]+\.js)'\)/.exec(part)?.[1]
    if (!name || !iconFile || notWallets.has(label)) return []
    const flag = flags.get(/ProviderIdentityFlag\.(\w+)/.exec(part)?.[1] ?? '')
    const url = urls.get(label)
    return [
      {
        name,
        icon: iconIn(readFileSync(join(dist, 'icons', iconFile), 'utf8')),
        chains: ['eip155:1'],
        homepage: url === undefined ? undefined : new URL(url).origin,
        injected: flag?.startsWith('is') ? { namespace: 'eip155', injected_id: flag } : undefined,
      },
    ]
  })
}

function iconIn(text: string): string {
  const svg = /<svg[\s\S]*<\/svg>/.exec(text)?.[0]
  const uri = /(data:image\/[^"'`\s]+)/.exec(text)?.[1]
  // A data URI may contain an SVG, and an SVG may embed a picture. The match that starts first is
  // the whole logo.
  const svgFirst = svg !== undefined && (!uri || text.indexOf(svg) < text.indexOf(uri))
  const icon = svgFirst ? svg : (uri ?? svg)
  if (icon !== undefined) return icon
  const base64 = /['"`]([A-Za-z0-9+/=\s]{200,})['"`]/.exec(text)?.[1]
  return base64 === undefined ? '' : `data:image/png;base64,${base64}`
}
