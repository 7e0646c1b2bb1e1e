import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceWallet } from './sourceWallet.ts'

/**
 * Name, homepage and logo from one adapter package (`@solana/wallet-adapter-*`, Apache-2.0, or
 * `@tronweb3/tronwallet-adapter-*-evm`, MIT), read as text; none of its code runs. Undefined if the
 * package has no name or logo.
 */
export function readAdapter(folder: string, chain: string): SourceWallet | undefined {
  const directory = join(folder, 'lib/esm')
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'))
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
  const name = /(?:WalletName|AdapterName) = '([^']+)'/.exec(text)?.[1]
  const icon = /this\.icon =\s*'(data:image\/[^']+)'/.exec(text)?.[1]
  const homepage = /this\.url = '(https:[^']+)'/.exec(text)?.[1]
  return name && icon ? { name, icon, homepage, chains: [chain] } : undefined
}
