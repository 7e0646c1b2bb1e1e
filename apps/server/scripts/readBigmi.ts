import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainChains, type SourceWallet } from './sourceWallet.ts'

// The package has neither a site nor a store for it.
const withoutSite = new Set(['Unhosted Wallet'])

/**
 * Names and logos of Bitcoin wallets from @bigmi/client (MIT), read as text; none of its code runs.
 */
export function readBigmi(folder: string): SourceWallet[] {
  const directory = join(folder, 'dist/esm/connectors')
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'))
  return files.flatMap((file): SourceWallet[] => {
    const text = readFileSync(join(directory, file), 'utf8')
    const name = /\bname: "([^"]+)"/.exec(text)?.[1]
    const icon = /\bicon: "(data:image\/[^"]+)"/.exec(text)?.[1]
    if (!name || !icon || withoutSite.has(name)) return []
    return [{ name, icon, chains: [mainChains.bip122 ?? ''] }]
  })
}
