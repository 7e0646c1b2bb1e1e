import type { App } from '../app.ts'
import type { WalletList } from '../state.ts'
import { fields } from '../storageSchema.ts'
import { readWalletList } from './readWalletList.ts'

/** The maximum number of stored wallets, and of characters in their JSON. */
const maxSavedWallets = 12
const maxSavedLength = 20_000

/**
 * The directory's first wallets from the last visit, so that a list can be drawn at once. Drops
 * invalid entries.
 */
export function getSavedWallets(app: App): WalletList | undefined {
  const saved = app.storage.get('directoryWallets')
  if (saved === undefined) return undefined
  try {
    if (isSmall(saved) && fields(saved).for === getSettings(app)) {
      const list = readWalletList(saved)
      if (list.wallets.length <= maxSavedWallets) return list
    }
  } catch {
    // It was written by other code or another version.
  }
  app.storage.remove('directoryWallets')
  return undefined
}

/** Saves the directory's first wallets for the next visit, unless they take too much space. */
export function saveWallets(app: App, { count, wallets }: WalletList): void {
  const saved = { for: getSettings(app), count, wallets }
  if (wallets.length <= maxSavedWallets && isSmall(saved))
    app.storage.set('directoryWallets', saved)
  else app.storage.remove('directoryWallets')
}

const isSmall = (value: unknown) => JSON.stringify(value).length <= maxSavedLength

function getSettings({ config }: App): string {
  const { apiUrl, projectId, wallets } = config
  const lists = [wallets.featuredIds, wallets.includedIds, wallets.excludedIds]
  const chains = config.networks.map(({ caipNetworkId }) => caipNetworkId)
  return JSON.stringify([apiUrl, projectId, ...lists.map((ids) => ids ?? []), chains])
}
