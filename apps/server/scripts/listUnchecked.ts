import { readWallets } from '../src/directory/selectWallets.ts'
import { findUnchecked } from './findUnchecked.ts'

// Lists the wallets of the directory that were not checked in the last six months:
// `npm run directory:unchecked -w @latchkey/server`.
const wallets = readWallets()
const unchecked = findUnchecked(wallets, new Date())
for (const { checked_at, name, source } of unchecked)
  process.stdout.write(`${checked_at}  ${name} (${source})\n`)
process.stdout.write(`${unchecked.length} of ${wallets.length} wallets need a check\n`)
