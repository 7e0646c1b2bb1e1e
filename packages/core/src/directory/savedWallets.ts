import { directoryWallet } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { App } from '../app.ts'

/** What the first page of the wallet list showed of the directory. `count` counts all wallets of the directory. */
const savedList = z.object({
  /** The app's settings that the list depends on. */
  for: z.string(),
  count: z.number().check(z.nonnegative()),
  wallets: z.array(directoryWallet).check(z.maxLength(12)),
})

/** Characters of JSON that are kept at most. */
const maxSavedLength = 20_000

type WalletList = Pick<z.infer<typeof savedList>, 'count' | 'wallets'>

/** The directory's first wallets as the last visit saw them, so that a list can be drawn at once. Drops what is invalid. */
export function getSavedWallets(app: App): WalletList | undefined {
  const saved = app.storage.get('directoryWallets')
  if (saved === undefined) return undefined
  const { success, data } = savedList.safeParse(saved)
  if (success && data.for === getSettings(app) && isSmall(saved)) return data
  app.storage.remove('directoryWallets')
  return undefined
}

/** Keeps the directory's first wallets for the next visit, unless they take too much room. */
export function saveWallets(app: App, { count, wallets }: WalletList): void {
  const list = { for: getSettings(app), count, wallets }
  if (isSmall(list) && savedList.safeParse(list).success) app.storage.set('directoryWallets', list)
  else app.storage.remove('directoryWallets')
}

const isSmall = (value: unknown) => JSON.stringify(value).length <= maxSavedLength

function getSettings({ config }: App): string {
  const { apiUrl, projectId, featuredWalletIds, includeWalletIds, excludeWalletIds } = config
  const lists = [featuredWalletIds, includeWalletIds, excludeWalletIds]
  return JSON.stringify([apiUrl, projectId, ...lists.map((ids) => ids ?? [])])
}
