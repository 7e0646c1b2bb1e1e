import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'
import { fields, list, number, type Read, text } from '../storageSchema.ts'

/** Wallets that are kept at most, and characters of their JSON. */
const maxSavedWallets = 12
const maxSavedLength = 20_000

/** What the first page of the wallet list showed of the directory. `count` counts all wallets of the directory. */
type WalletList = { count: number; wallets: readonly DirectoryWallet[] }

/** The directory's first wallets as the last visit saw them, so that a list can be drawn at once. Drops what is invalid. */
export function getSavedWallets(app: App): WalletList | undefined {
  const saved = app.storage.get('directoryWallets')
  if (saved === undefined) return undefined
  try {
    if (isSmall(saved) && fields(saved).for === getSettings(app)) return readList(saved)
  } catch {
    // It was written by other code or another version.
  }
  app.storage.remove('directoryWallets')
  return undefined
}

/** Keeps the directory's first wallets for the next visit, unless they take too much room. */
export function saveWallets(app: App, { count, wallets }: WalletList): void {
  const saved = { for: getSettings(app), count, wallets }
  if (wallets.length <= maxSavedWallets && isSmall(saved))
    app.storage.set('directoryWallets', saved)
  else app.storage.remove('directoryWallets')
}

const isSmall = (value: unknown) => JSON.stringify(value).length <= maxSavedLength

function getSettings({ config }: App): string {
  const { apiUrl, projectId, featuredWalletIds, includeWalletIds, excludeWalletIds } = config
  const lists = [featuredWalletIds, includeWalletIds, excludeWalletIds]
  const chains = config.networks.map(({ caipNetworkId }) => caipNetworkId)
  return JSON.stringify([apiUrl, projectId, ...lists.map((ids) => ids ?? []), chains])
}

// Parsed by hand like the other saved values, because this list is drawn before the schemas are loaded.
const readList: Read<WalletList> = (value) => {
  const { count, wallets } = fields(value)
  const saved = { count: number(count), wallets: list(readWallet)(wallets) }
  const isCount = Number.isSafeInteger(saved.count) && saved.count >= 0
  if (!isCount || saved.wallets.length > maxSavedWallets) throw new TypeError('Out of range')
  return saved
}

const readWallet: Read<DirectoryWallet> = (value) => {
  const { chains, order, injected, id, name, image_id, ...links } = fields(value)
  for (const required of [id, name, image_id]) text(required)
  for (const link of Object.values(links)) text(link ?? '')
  list(text)(chains)
  number(order ?? 0)
  for (const entry of list(fields)(injected ?? [])) {
    text(entry.namespace)
    text(entry.injected_id)
  }
  return value as DirectoryWallet
}
