import type { DirectoryWallet } from '@latchkey/wire'
import type { App } from '../app.ts'
import { canRetry, retryDelayMs } from '../server/retrying.ts'
import type { WalletList } from '../state.ts'
import { getCustomWallets } from './customWallets.ts'
import { directoryLifetimeMs, getWallets, prefetchImages, searchEntries } from './getWallets.ts'
import { noteImageIds } from './imageIds.ts'
import { getSavedWallets, saveWallets } from './savedWallets.ts'

/** How many recommended wallets are shown, in addition to those that the app features. */
const recommendedEntries = 4

/**
 * Fetches the directory wallets for the first list, with a few retries, and writes the outcome to
 * the state. Does nothing while a request is pending or the list is fresh.
 */
export function askRecommended(app: App): void {
  const { config, store, environment } = app
  const { recommended } = store.getState()
  if (!config.wallets.enabled || recommended?.status === 'asking') return
  const ageMs =
    recommended?.status === 'answered' ? environment.now() - recommended.atMs : Number.NaN
  if (ageMs < directoryLifetimeMs) return
  const list = recommended ? recommended.list : getSavedWallets(app)
  store.setState({ recommended: { status: 'asking', list } })
  if (list) noteImageIds(app, list.wallets)
  void ask(app, list)
}

/** A wallet of the first list: configured by the app, or from the directory. */
export const findListedWallet = (app: App, walletId: string): DirectoryWallet | undefined =>
  [...getCustomWallets(app), ...(app.store.getState().recommended?.list?.wallets ?? [])].find(
    ({ id }) => id === walletId,
  )

/**
 * Fetches the list and writes the outcome. `before` is shown until then, and if the server does not
 * respond.
 */
async function ask(app: App, before: WalletList | undefined) {
  const { store, environment, signal } = app
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const list = await getList(app)
      saveWallets(app, list)
      prefetchImages(app, list.wallets)
      store.setState({ recommended: { status: 'answered', list, atMs: environment.now() } })
      return
    } catch (error) {
      if (!canRetry(failures, error)) break
      await environment.sleep(retryDelayMs(failures), signal)
    }
  }
  store.setState({ recommended: { status: 'failed', list: before } })
}

/** The wallets that the app features, then the recommended wallets. */
async function getList(app: App): Promise<WalletList> {
  const { featuredIds = [] } = app.config.wallets
  const [featured, recommended] = await Promise.all([
    featuredIds.length === 0
      ? undefined
      : getWallets(app, {
          include: featuredIds,
          entries: Math.min(featuredIds.length, searchEntries),
        }),
    // Enough entries even if all featured wallets are among them.
    getWallets(app, { entries: recommendedEntries + featuredIds.length }),
  ])
  const first = featured?.wallets ?? []
  const rest = recommended.wallets.filter(({ id }) => !first.some((wallet) => wallet.id === id))
  return {
    count: recommended.count,
    wallets: [...first, ...rest.slice(0, recommendedEntries)],
  }
}
