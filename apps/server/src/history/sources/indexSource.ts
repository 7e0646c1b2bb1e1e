import type { Activity } from '../../activity/activity.ts'
import type { HistorySource } from './historySource.ts'

/** The server's own index as a source; asking for a page has the account followed from then on. */
export const indexSource = (activity: Activity): HistorySource => ({
  async page({ chainId, address, after, limit }) {
    await activity.follow({ chainId, address })
    return activity.page({ address, chainIds: [chainId], after, limit })
  },
  sync: (account) => activity.sync(account),
})
