import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainChains, type SourceWallet } from './sourceWallet.ts'

type Entry = {
  readonly name: string
  readonly desktop?: { readonly chromeId?: string }
  readonly eip6963Config?: { readonly rdns?: string }
  readonly injectedConfig?: readonly {
    readonly chain: string
    readonly windowLocations?: readonly string[]
  }[]
  readonly mobile?: { readonly androidId?: string; readonly iosId?: string }
}

const chainsOf: Readonly<Record<string, string | undefined>> = {
  evm: mainChains.eip155,
  sol: mainChains.solana,
  btc: mainChains.bip122,
}

/**
 * Names, store links and rdns from @dynamic-labs/wallet-book (MIT), read as text; none of its code
 * runs. Includes only wallets for which the package lists an rdns or a property of `window`.
 */
export function readWalletBook(folder: string): SourceWallet[] {
  return Object.values(readEntries(folder)).flatMap((entry): SourceWallet[] => {
    const rdns = entry.eip6963Config?.rdns
    const found = (entry.injectedConfig ?? []).filter(
      ({ windowLocations = [] }) => rdns !== undefined || windowLocations.length > 0,
    )
    const chains = found.flatMap(({ chain }) => chainsOf[chain] ?? [])
    if (chains.length === 0) return []
    const { androidId, iosId } = entry.mobile ?? {}
    const chromeId = entry.desktop?.chromeId
    return [
      {
        name: entry.name,
        chains,
        rdns,
        appStore: iosId && `https://apps.apple.com/app/${iosId}`,
        playStore: androidId && `https://play.google.com/store/apps/details?id=${androidId}`,
        chromeStore: chromeId && `https://chromewebstore.google.com/detail/${chromeId}`,
      },
    ]
  })
}

/** The wallets of the package's list, which is JSON except for the names of its fields. */
function readEntries(folder: string): Record<string, Entry> {
  const text = readFileSync(join(folder, 'wallet-book-fallbacks.js'), 'utf8')
  const list = /\nvar wallets = (\{[\s\S]*?\n\});/.exec(text)?.[1]
  if (list === undefined) throw new Error('The wallet book has no list of wallets')
  return JSON.parse(list.replace(/^(\t+)(\w+):/gm, '$1"$2":'))
}
