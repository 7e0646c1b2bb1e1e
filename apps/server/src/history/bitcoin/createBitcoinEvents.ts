import { requestEsplora } from '../../esplora/requestEsplora.ts'
import { getAddress, getFoldedTransactions } from '../../esplora/requests.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import type { AccountEvents } from '../accountEvents.ts'
import { createPolledEvents } from '../createPolledEvents.ts'

type BitcoinEventsDeps = Pick<Services, 'log'> & { readonly upstreams: Upstreams }

/**
 * Events of Bitcoin addresses: confirmed and unconfirmed amounts, and the pending transactions,
 * because one may replace another.
 */
export const createBitcoinEvents = (
  { log, upstreams }: BitcoinEventsDeps,
  everyMs?: number,
): AccountEvents =>
  createPolledEvents(
    {
      log,
      async read({ chainId, address }) {
        const nodes = { upstreams, chainId }
        const stats = await requestEsplora(nodes, getAddress({ chainId, address }))
        const { chain_stats, mempool_stats } = stats
        const waiting =
          mempool_stats.tx_count === 0
            ? []
            : await requestEsplora(
                nodes,
                getFoldedTransactions({ chainId, address, part: 'mempool' }),
              )
        return JSON.stringify([chain_stats, mempool_stats, waiting.map(({ txid }) => txid).sort()])
      },
    },
    everyMs,
  )
