import type { ChainId } from '@latchkey/wire'
import { invalidAccountAddress } from '../../accountAddress.ts'
import { getScript, parseAnyBitcoinAddress } from '../../bitcoin/chain.ts'
import { badRequest, HttpFailure, orUnavailable } from '../../http/failure.ts'
import { parseCursor } from '../../http/request/parse.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { requireCurrency } from '../../tokens/currencies.ts'
import type { GetTokenIcon } from '../../tokens/tokenIcons.ts'
import { createPageTurns } from '../createPageTurns.ts'
import { historyUnavailable, noPurchases } from '../historyFailures.ts'
import type { AnswerChainHistory, ChainHistoryQuery } from '../routes.ts'
import { type BitcoinPosition, readBitcoinCursor, writeBitcoinCursor } from './bitcoinCursor.ts'
import { type BitcoinPage, readBitcoinPage } from './readBitcoinPage.ts'
import { toBitcoinEntry } from './toBitcoinEntry.ts'

type BitcoinHistoryDeps = Pick<Services, 'config' | 'clock'>
type Dependencies = { readonly upstreams: Upstreams; readonly getTokenIcon: GetTokenIcon }

/**
 * Answers with the transactions of an address on a Bitcoin chain, newest first, 100 per page.
 * Nothing is stored, because blocks may be reorganized and pending transactions replaced.
 */
export function bitcoinHistory(
  services: BitcoinHistoryDeps,
  { upstreams, getTokenIcon }: Dependencies,
): AnswerChainHistory {
  const inTurn = createPageTurns()
  return async (c, query) => {
    const { chainId } = query
    const parsed = parseBitcoinQuery(query)
    if (query.onramp !== undefined) return c.json(noPurchases)
    const read = () => readBitcoinPage({ upstreams, chainId }, parsed)
    const page = await orUnavailable(historyUnavailable(), () => inTurn(chainId, read))
    if (page === 'outdated') throw new HttpFailure(outdated)
    return c.json(present(chainId, parsed, page))
  }

  function present(
    chainId: ChainId,
    { owner, script }: BitcoinQuery,
    { rows, next, isComplete }: BitcoinPage,
  ) {
    const chain = services.config.chains[chainId]
    const nowMs = services.clock()
    const data = chain
      ? rows.map((row) =>
          toBitcoinEntry(row, { chainId, owner, script, chain, getTokenIcon, nowMs }),
        )
      : []
    const cursor = next ? writeBitcoinCursor(next, { chainId, owner }) : null
    return { data, next: cursor, sync: { complete: isComplete, progress: 1, since: null } }
  }
}

type BitcoinQuery = {
  readonly owner: string
  readonly script: string
  readonly after: BitcoinPosition | undefined
}

function parseBitcoinQuery({ chainId, ...query }: ChainHistoryQuery): BitcoinQuery {
  const owner = parseAnyBitcoinAddress(query.address)
  const script = owner && getScript(chainId, owner)
  if (owner === undefined || script === undefined)
    throw new HttpFailure(invalidAccountAddress(chainId))
  requireCurrency(query.currency)
  const readCursor = (text: string) => readBitcoinCursor(text, { chainId, owner })
  return { owner, script, after: parseCursor(query.cursor, readCursor) }
}

const outdated = badRequest(
  'cursor',
  'The blocks up to the cursor were reorganized. Start without a cursor',
)
