import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceWallet } from './sourceWallet.ts'

/** Name, homepage and logo from one @solana/wallet-adapter-* package (Apache-2.0), read as text; none of its code runs. */
export function readSolanaAdapter(folder: string): SourceWallet | undefined {
  const directory = join(folder, 'lib/esm')
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'))
  const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n')
  const name = /WalletName = '([^']+)'/.exec(text)?.[1]
  const icon = /this\.icon =\s*'(data:image\/[^']+)'/.exec(text)?.[1]
  const homepage = /this\.url = '(https:[^']+)'/.exec(text)?.[1]
  if (!name || !icon) return undefined
  return { name, icon, homepage, chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }
}
