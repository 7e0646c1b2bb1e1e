import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChainId } from '@latchkey/wire'
import type { Outbound } from '../outbound/createOutbound.ts'
import { fetchOutside } from '../outbound/fetchOutside.ts'
import type { Services } from '../services.ts'
import { getListNumber } from './listNumber.ts'
import { type ParsedList, parseList } from './parseList.ts'
import { type Token, tokenKey } from './token.ts'

type TokenListsDeps = Pick<Services, 'log' | 'config' | 'clock'> & { readonly outbound: Outbound }

/**
 * The listed tokens of a chain, each address once; the operator's own lists come before the bundled
 * list. Returns the same array as long as the lists do not change.
 */
export type GetTokens = (chainId: ChainId) => Promise<readonly Token[]>

const bundled = fileURLToPath(new URL('../../data/tokens.json', import.meta.url))
const refreshMs = 6 * 3_600_000
const retryMs = 60_000
const fetchOptions = {
  accept: ['application/json', 'text/*', 'application/octet-stream'],
  maxBytes: 16 * 1024 * 1024,
  timeoutMs: 15_000,
}

type CachedList = { readonly list: Promise<ParsedList>; dueAtMs: number; refreshing: boolean }

/**
 * Reads token lists once; lists from a URL are refreshed every six hours. The last good copy stays
 * in use, and on disk, while they cannot be read. A list that was never read counts as empty and is
 * tried again after a minute.
 */
export function openTokenLists(deps: TokenListsDeps): GetTokens {
  const { config, clock, log } = deps
  const lists = new Map<string, CachedList>()
  const merged = new Map<ChainId, { from: readonly ParsedList[]; tokens: readonly Token[] }>()
  const read = (place: string, cached?: CachedList) => {
    const next: CachedList = {
      list: readList(deps, place),
      dueAtMs: clock() + refreshMs,
      refreshing: false,
    }
    if (cached === undefined) lists.set(place, next)
    else cached.refreshing = true
    return next.list.then(
      (list) => {
        lists.set(place, next)
        return list
      },
      (error: unknown) => {
        log.error({ err: error, list: getListName(place) }, 'token list not read')
        const list = cached?.list ?? Promise.resolve<ParsedList>(new Map())
        lists.set(place, { list, dueAtMs: clock() + retryMs, refreshing: false })
        return list
      },
    )
  }
  const listAt = (place: string) => {
    const cached = lists.get(place)
    if (cached === undefined) return read(place)
    // Refreshes run in the background.
    if (!cached.refreshing && clock() >= cached.dueAtMs) void read(place, cached)
    return cached.list.catch((): ParsedList => new Map())
  }
  return async (chainId) => {
    const places = [...(config.chains[chainId]?.tokenLists ?? []), bundled]
    const from = await Promise.all(places.map(listAt))
    const known = merged.get(chainId)
    if (known?.from.every((list, index) => list === from[index])) return known.tokens
    const tokens = mergeLists(from, getListNumber(chainId))
    merged.set(chainId, { from, tokens })
    return tokens
  }
}

function mergeLists(lists: readonly ParsedList[], chain: number): Token[] {
  const byAddress = new Map<string, Token>()
  for (const list of lists)
    for (const token of list.get(chain) ?? []) {
      const key = tokenKey(token.address)
      if (!byAddress.has(key)) byAddress.set(key, token)
    }
  return [...byAddress.values()]
}

async function readList(
  { config, log, outbound }: TokenListsDeps,
  place: string,
): Promise<ParsedList> {
  if (!isUrl(place)) return parseList(await readFile(place, 'utf8'))
  const folder = join(config.dataDir, 'token-lists')
  const name = createHash('sha256').update(place).digest('hex').slice(0, 32)
  const file = join(folder, `${name}.json`)
  try {
    const { bytes } = await fetchOutside(outbound, place, fetchOptions)
    const text = bytes.toString('utf8')
    const list = parseList(text)
    await mkdir(folder, { recursive: true })
    // Several processes may share the folder.
    const written = `${file}.${randomUUID()}`
    await writeFile(written, text)
    await rename(written, file)
    return list
  } catch (error) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) throw error
    log.warn(
      { err: error, list: getListName(place) },
      'token list not fetched, its last copy is used',
    )
    return parseList(text)
  }
}

const isUrl = (place: string) => /^https?:\/\//.test(place)
// The query of a URL may carry a key.
const getListName = (place: string) => (isUrl(place) ? new URL(place).host : place)
