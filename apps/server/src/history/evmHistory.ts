import { accountHistoryRoute, type ChainId, type HistorySync, isError } from '@latchkey/wire'
import type { Context } from 'hono'
import type {
  Activity,
  ActivityPage,
  ActivityPosition,
  ActivityRow,
  Asker,
} from '../activity/activity.ts'
import { getAsker } from '../activity/asker.ts'
import { defaultPatienceMs, readUntilComplete } from '../activity/readUntilComplete.ts'
import { requireAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import type { NftId } from '../evm/nft.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseCursor, parseQuery } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { requireCurrency } from '../tokens/currencies.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import type { GetTokenFacts } from '../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { getApproval } from './getApproval.ts'
import { readHistoryCursor, writeHistoryCursor } from './historyCursor.ts'
import { toHistoryEntry } from './historyEntry.ts'
import { activityOff, historyUnavailable } from './historyFailures.ts'
import { answerPurchases, type ReadPurchases } from './purchases.ts'
import { readHistory, readSync } from './readHistory.ts'
import type { GetHistorySource } from './sources/historySource.ts'
import { openHistorySources } from './sources/openHistorySources.ts'

type EvmHistoryDeps = Pick<Services, 'log' | 'config' | 'responseMemory'>

/** The known names of NFTs of a chain, by `nftKey`. Reads nothing from outside. */
type FindNftNames = (
  chainId: ChainId,
  ids: readonly Omit<NftId, 'standard'>[],
) => Promise<ReadonlyMap<string, string>>

type Dependencies = {
  readonly upstreams: Upstreams
  readonly activity: Activity
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly getTokenIcon: GetTokenIcon
  /** By default an NFT is called by its collection and its number. */
  readonly findNftNames?: FindNftNames
  readonly readPurchases: ReadPurchases
  readonly patienceMs?: number
}

/**
 * Answers with the transactions of an EVM address, newest first. Responses are not cached, so that
 * new transactions appear at once. The first request for an account waits for the index, but not
 * long: `next` is null only if no further rows can come.
 */
export function evmHistory(
  services: EvmHistoryDeps,
  deps: Dependencies,
): (c: Context) => Promise<Response> {
  const getSource = openHistorySources(services, deps)
  const present = presenter(services, deps)
  const { activity, patienceMs = defaultPatienceMs } = deps
  const read = (parsed: HistoryQuery, asker: Asker) =>
    readUntilComplete({
      ...{ ...parsed, activity, patienceMs },
      read: () => readHistory({ ...parsed, getSource, asker, present: present(parsed) }),
      isKnown: ({ isIncomplete, hasNewest }) =>
        !isIncomplete && (hasNewest || parsed.after !== undefined),
    })
  return async (c) => {
    const query = parseQuery(c, accountHistoryRoute.query)
    const parsed = parseHistoryQuery(
      services,
      { ...query, address: c.req.param('address') ?? '' },
      getSource,
    )
    if (query.onramp !== undefined) {
      const purchases = {
        account: parsed.address,
        chainIds: parsed.chainIds,
        provider: query.onramp,
      }
      return answerPurchases(deps.readPurchases, purchases)
    }
    try {
      const { data, next, unread } = await read(
        parsed,
        getAsker(services.config, getClientOrigin(c)),
      )
      const sync = noteUnread(await readSync({ ...parsed, getSource }), unread)
      return c.json({ data, next: next ? writeHistoryCursor(next, parsed) : null, sync })
    } catch (error) {
      if (isError(error, 'RPC_UNAVAILABLE')) throw new HttpFailure(historyUnavailable())
      if (isError(error, 'HISTORY_UNAVAILABLE'))
        throw new HttpFailure(historyUnavailable(Number(error.data.seconds)))
      throw error
    }
  }
}

/** Adds the unread blocks of the page itself. */
function noteUnread(sync: HistorySync, unread: ActivityPage['unread']): HistorySync {
  if (unread === undefined) return sync
  const latest = new Date(unread.latestMs).toISOString()
  return { ...sync, complete: false, unread: { blocks: unread.blocks, latest } }
}

type HistoryQuery = {
  readonly address: Hex
  /** The network filter of the request, to which a cursor is bound. */
  readonly filter: string
  readonly chainIds: readonly ChainId[]
  readonly after: ActivityPosition | undefined
}

type Query = {
  readonly address: string
  readonly currency: string
  readonly chainId?: string | undefined
  readonly cursor?: string | undefined
}

function parseHistoryQuery(
  { config }: EvmHistoryDeps,
  query: Query,
  getSource: GetHistorySource,
): HistoryQuery {
  const chain = query.chainId === undefined ? undefined : requireChain(config, query.chainId)
  if (chain && !isEvmChain(chain.chainId)) throw new HttpFailure(evmOnly)
  const address = requireAddress(query.address)
  requireCurrency(query.currency)
  const hasActivity = (id: string) => isEvmChain(id) && getSource(id as ChainId) !== undefined
  if (chain && !hasActivity(chain.chainId)) throw new HttpFailure(activityOff(chain.chainId))
  const filter = chain?.chainId ?? ''
  const readCursor = (text: string) => readHistoryCursor(text, { address, filter })
  const after = parseCursor(query.cursor, readCursor)
  const all = Object.keys(config.chains).filter(hasActivity) as ChainId[]
  const chainIds = chain ? [chain.chainId] : all
  return { address, filter, chainIds, after }
}

/** Turns rows into entries. Reads what is needed from each chain once for all rows. */
function presenter(
  { config }: EvmHistoryDeps,
  { getListed, getFacts, getTokenIcon, findNftNames = async () => new Map() }: Dependencies,
) {
  const readContext = async (chainId: ChainId, account: Hex, rows: readonly ActivityRow[]) => {
    const chain = config.chains[chainId]
    if (chain === undefined) return undefined
    const listed = await getListed(chainId)
    const own = rows.filter((row) => row.chainId === chainId)
    const moved = own.flatMap(({ transfers }) => transfers)
    const approvals = own.flatMap((row) => getApproval(row, account) ?? [])
    const contracts = [...moved, ...approvals]
      .flatMap(({ contract }) => contract ?? [])
      .filter((contract) => !listed.tokens.has(contract))
    const nfts = moved.flatMap(({ contract, tokenId }) =>
      contract === undefined || tokenId === undefined ? [] : [{ chainId, contract, tokenId }],
    )
    const [facts, nftNames] = await Promise.all([
      getFacts(chainId, contracts),
      findNftNames(chainId, nfts),
    ])
    return { chain, listed, facts, nftNames }
  }
  return ({ address }: HistoryQuery) =>
    async (rows: readonly ActivityRow[]) => {
      const chainIds = [...new Set(rows.map(({ chainId }) => chainId))]
      const contexts = new Map(
        await Promise.all(
          chainIds.map(async (id) => [id, await readContext(id, address, rows)] as const),
        ),
      )
      const common = { account: address, publicUrl: config.publicUrl, getTokenIcon }
      return rows.map((row) => {
        const context = contexts.get(row.chainId)
        return context && toHistoryEntry(row, { ...common, ...context })
      })
    }
}

const evmOnly = badRequest(
  'address',
  'Unsupported namespace: activity is available on eip155 chains only',
)
