import { readFileSync } from 'node:fs'
import { type DirectoryWallet, directoryWallet } from '@latchkey/wire'
import * as z from 'zod/mini'

/** The wallets of the data set, in the order they are shown. Throws when the file is not of its shape. */
export function readWallets(): readonly DirectoryWallet[] {
  const text = readFileSync(new URL('../../data/wallets.json', import.meta.url), 'utf8')
  const wallets = z.array(directoryWallet).parse(JSON.parse(text))
  return wallets.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity))
}
