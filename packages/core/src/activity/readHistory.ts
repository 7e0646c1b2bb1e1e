import { accountHistory, type ChainId, isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { present } from '../modal/present.ts'
import { callApi } from '../server/callApi.ts'
import { readOnce } from '../server/readOnce.ts'
import type { HistoryPage } from './getHistory.ts'
import { isVisible } from './isVisible.ts'

/** What `getHistory` does. */
export async function readHistory(
  app: App,
  parameters: {
    address: string | undefined
    chainId: ChainId
    cursor?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<HistoryPage> {
  const { address, chainId, cursor, signal } = parameters
  if (!address) throw new LatchkeyError('HISTORY_ADDRESS_MISSING')
  const work = () => load(app, { address, chainId, cursor })
  return readOnce(app, { key: `history ${chainId}:${address} ${cursor ?? ''}`, work, signal })
}

async function load(
  app: App,
  { address, chainId, cursor }: { address: string; chainId: ChainId; cursor: string | undefined },
): Promise<HistoryPage> {
  try {
    const { data, next, sync } = await callApi(app, {
      route: accountHistory,
      params: { address },
      query: { currency: 'usd', chainId, cursor },
    })
    app.work.isHistoryFailureTold = false
    return {
      transactions: data.filter((transaction) => isVisible(transaction, chainId)),
      next: next ?? undefined,
      sync,
    }
  } catch (cause) {
    if (isError(cause, 'ABORTED')) throw cause
    const error = new LatchkeyError('HISTORY_FAILED', { cause })
    if (!app.work.isHistoryFailureTold) present(app, error)
    app.work.isHistoryFailureTold = true
    throw error
  }
}
