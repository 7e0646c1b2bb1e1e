import type { ChainId, HistorySync } from '@latchkey/wire'
import { invalidAccountAddress } from '../../accountAddress.ts'
import { HttpFailure, orUnavailable } from '../../http/failure.ts'
import { parseCursor } from '../../http/request/parse.ts'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { parseSolanaAddress, token2022Program } from '../../solana/address.ts'
import { requireCurrency } from '../../tokens/currencies.ts'
import type { GetListedTokens } from '../../tokens/listedTokens.ts'
import type { GetTokenFacts } from '../../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../../tokens/tokenIcons.ts'
import { createPageTurns } from '../createPageTurns.ts'
import { historyUnavailable } from '../historyFailures.ts'
import { answerPurchases, type ReadPurchases } from '../purchases.ts'
import type { AnswerChainHistory, ChainHistoryQuery } from '../routes.ts'
import { createSolanaPages } from './readSolanaPage.ts'
import { readSolanaCursor, type SolanaPosition, writeSolanaCursor } from './solanaCursor.ts'
import type { StoredTransaction } from './solanaStore.ts'
import { type SolanaRow, toSolanaEntry } from './toSolanaEntry.ts'

type SolanaHistoryDeps = Pick<Services, 'db' | 'clock' | 'log' | 'config'>

type Dependencies = {
  readonly upstreams: Upstreams
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly getTokenIcon: GetTokenIcon
  readonly readPurchases: ReadPurchases
}

/**
 * Answers with the transactions of an address on a Solana chain, newest first, 100 per page.
 * Transactions that were read once are answered from the database.
 */
export function solanaHistory(services: SolanaHistoryDeps, deps: Dependencies): AnswerChainHistory {
  const readPage = createSolanaPages({ ...services, ...deps })
  const inTurn = createPageTurns()
  return async (c, query) => {
    const { chainId } = query
    const parsed = parseSolanaQuery(query)
    if (query.onramp !== undefined) {
      const purchases = { account: parsed.owner, chainIds: [chainId], provider: query.onramp }
      return answerPurchases(deps.readPurchases, purchases)
    }
    return orUnavailable(historyUnavailable(), async () => {
      const read = () => readPage({ chainId, ...parsed })
      const page = await inTurn(chainId, read)
      const data = await present(services, deps, { chainId, owner: parsed.owner, rows: page.rows })
      const scope = { chainId, owner: parsed.owner }
      const cursor = page.next === undefined ? null : writeSolanaCursor(page.next, scope)
      const { isComplete, unread } = page
      const sync = { complete: isComplete, progress: 1, since: null, ...describeUnread(unread) }
      return c.json({ data, next: cursor, sync })
    })
  }
}

/**
 * The part of the response that names transactions that could not be read: their blocks, and when
 * the latest was mined.
 */
function describeUnread(unread: readonly StoredTransaction[]): Pick<HistorySync, 'unread'> {
  const [first] = unread
  if (first === undefined) return {}
  const blocks = new Set(unread.map(({ slot }) => slot)).size
  return { unread: { blocks, latest: new Date(first.minedAtMs).toISOString() } }
}

type SolanaQuery = { readonly owner: string; readonly after: SolanaPosition | undefined }

function parseSolanaQuery({ chainId, ...query }: ChainHistoryQuery): SolanaQuery {
  const owner = parseSolanaAddress(query.address)
  if (owner === undefined) throw new HttpFailure(invalidAccountAddress(chainId))
  requireCurrency(query.currency)
  const readCursor = (text: string) => readSolanaCursor(text, { chainId, owner })
  return { owner, after: parseCursor(query.cursor, readCursor) }
}

type Shown = {
  readonly chainId: ChainId
  readonly owner: string
  readonly rows: readonly SolanaRow[]
}

/** Turns rows into entries. Reads the metadata of mints once for all rows. */
async function present(
  { config }: SolanaHistoryDeps,
  { getListed, getFacts, getTokenIcon }: Dependencies,
  { chainId, owner, rows }: Shown,
) {
  const chain = config.chains[chainId]
  if (chain === undefined) return []
  const listed = await getListed(chainId)
  const unlisted = rows
    .flatMap(({ facts }) => facts.moves)
    .flatMap(({ mint, program }) =>
      mint !== undefined && program === token2022Program ? mint : [],
    )
    .filter((mint) => !listed.tokens.has(mint))
  const mints = await getFacts(chainId, unlisted)
  const context = { chainId, owner, chain, listed, mints, getTokenIcon }
  return rows.flatMap((row) => toSolanaEntry(row, context) ?? [])
}
