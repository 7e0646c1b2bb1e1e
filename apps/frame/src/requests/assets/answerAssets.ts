import { cleanText, type ListedAsset, omitNulls, readAssetsRoute } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { LoginSession } from '../../auth/loginSession.ts'
import type { FrameChain } from '../../chains.ts'
import { assertAccount, invalidParameters } from '../params.ts'
import type { WatchedTokens } from './watchedTokens.ts'

/** The maximum number of entries in a response, over all networks. */
const maxAssets = 1_000

const maxChains = 100
const maxText = 66

const chainId = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const text = z.string().check(z.maxLength(maxText))
const named = z.object({ address: text, type: text })
const wanted = z.object({
  account: text,
  assetFilter: z.optional(
    z
      .record(chainId, z.array(named).check(z.maxLength(maxAssets)))
      .check(z.refine((filter) => Object.keys(filter).length <= maxChains))
      .check(z.refine((filter) => Object.values(filter).flat().length <= maxAssets)),
  ),
  assetTypeFilter: z.optional(z.array(text).check(z.maxLength(maxChains))),
  chainFilter: z.optional(z.array(chainId).check(z.maxLength(maxChains))),
})
type RequestedAssets = z.infer<typeof wanted>

/** An asset in the form of ERC-7811, with additional data from our server in `metadata`. */
type Asset = {
  readonly address: string
  readonly balance: string
  readonly type: 'native' | 'erc20'
  readonly metadata: Omit<ListedAsset, 'address' | 'balance'>
}

/**
 * wallet_getAssets (ERC-7811): the account's assets according to our server, only on networks of
 * this frame. A network that the server could not read is left out. Throws INVALID_PARAMS,
 * UNAUTHORIZED for another account, and the server's error if no network could be read.
 */
export async function answerAssets(question: {
  readonly params: unknown
  readonly chains: readonly FrameChain[]
  readonly account: string
  readonly watched: WatchedTokens
  readonly session: Pick<LoginSession, 'call'>
  readonly signal: AbortSignal
}): Promise<Readonly<Record<string, readonly Asset[]>>> {
  const { params, chains, account, watched, session, signal } = question
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  const parsed = z.safeParse(wanted, omitNulls(first))
  if (!parsed.success)
    throw invalidParameters(
      parsed.error.issues[0]?.path.join('.') || 'the assets that are asked for',
    )
  assertAccount(parsed.data.account, account)
  const asked = selectChains(parsed.data, chains)
  const answers = await Promise.allSettled(
    asked.map(async ({ id }) => {
      const tokens = [...(await watched.read(id))]
      return session.call(readAssetsRoute, { chainId: id, address: account, tokens }, { signal })
    }),
  )
  const failed = answers.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && answers.every(({ status }) => status === 'rejected'))
    throw failed.reason
  const each = Math.floor(maxAssets / Math.max(1, asked.length))
  return Object.fromEntries(
    asked.flatMap(({ reference }, index) => {
      const answer = answers[index]
      if (answer?.status !== 'fulfilled') return []
      const all = answer.value.assets.slice(0, each).map(toAsset)
      const selected = all.filter((one) => isWanted(parsed.data, { reference, one }))
      return [[`0x${BigInt(reference).toString(16)}`, selected]]
    }),
  )
}

/**
 * The networks to read: this frame's networks, limited by `assetFilter` or else by `chainFilter`.
 */
function selectChains(
  { assetFilter, chainFilter }: RequestedAssets,
  chains: readonly FrameChain[],
) {
  const ids = assetFilter ? Object.keys(assetFilter) : chainFilter
  const asked = ids && new Set(ids.map((id) => String(BigInt(id))))
  return chains
    .filter(({ namespace, reference }) => namespace === 'eip155' && (asked?.has(reference) ?? true))
    .slice(0, maxChains)
}

/** `assetFilter` names single assets and overrides the other filters. */
function isWanted(
  { assetFilter, assetTypeFilter }: RequestedAssets,
  { reference, one }: { reference: string; one: Asset },
): boolean {
  if (!assetFilter) return assetTypeFilter?.some((type) => type.toLowerCase() === one.type) ?? true
  return Object.entries(assetFilter).some(
    ([id, assets]) =>
      String(BigInt(id)) === reference &&
      assets.some(
        ({ address, type }) =>
          type.toLowerCase() === one.type &&
          (one.type === 'native' || address.toLowerCase() === one.address.toLowerCase()),
      ),
  )
}

const toAsset = ({ address, balance, name, symbol, ...facts }: ListedAsset): Asset => ({
  address: address ?? 'native',
  balance,
  type: address === null ? 'native' : 'erc20',
  metadata: {
    name: cleanText(name, { maxLength: 64 }) ?? '',
    symbol: cleanText(symbol, { maxLength: 24 }) ?? '',
    ...facts,
  },
})
