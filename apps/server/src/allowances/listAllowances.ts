import { type Allowance, type ChainId, formatUnits } from '@latchkey/wire'
import type { Activity, ApprovalPosition, FollowedAccount } from '../activity/activity.ts'
import { isUnlimited, permit2Address } from '../evm/approvals.ts'
import type { Hex } from '../evm/hex.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens, ListedTokens } from '../tokens/listedTokens.ts'
import { hideBait, isSpamNft, isSpamToken } from '../tokens/spam.ts'
import type { GetTokenFacts, TokenFacts } from '../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { writeAllowanceCursor } from './allowanceCursor.ts'
import { type LiveAllowance, readLiveAllowances } from './readLiveAllowances.ts'
import { readTokenBalances } from './readTokenBalances.ts'

/** The dependencies of the allowances area. */
export type AllowanceDeps = Pick<Services, 'config' | 'clock'> & {
  readonly upstreams: Upstreams
  readonly activity: Activity
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly getTokenIcon: GetTokenIcon
}

const pageSize = 50
const candidates = 100
/**
 * How many batches of approvals one page checks. Limited, because anyone can create logs that name
 * an account although the approvals do not hold.
 */
const maxRounds = 4

/**
 * The allowances that an account has granted, after a position: found in its activity, then
 * confirmed on chain. `next` is null after the last page. Throws RPC_UNAVAILABLE.
 */
export async function listAllowances(
  deps: AllowanceDeps,
  account: FollowedAccount,
  place: ApprovalPosition | undefined,
): Promise<{ readonly data: Allowance[]; readonly next: string | null }> {
  const live: LiveAllowance[] = []
  let after = place
  let hasMore = true
  for (let round = 0; round < maxRounds && hasMore && live.length < pageSize; round++) {
    const range = { after, limit: candidates + 1 }
    const granted = await deps.activity.readApprovals(account, range)
    const part = granted.slice(0, candidates)
    live.push(...(await readLiveAllowances(deps, account, part)))
    after = part.at(-1) ?? after
    hasMore = granted.length > candidates
  }
  const next = hasMore && after ? writeAllowanceCursor(after, account) : null
  return { data: await describe(deps, account, live), next }
}

async function describe(
  deps: AllowanceDeps,
  account: FollowedAccount,
  live: readonly LiveAllowance[],
): Promise<Allowance[]> {
  const { chainId } = account
  const listed = await deps.getListed(chainId)
  const unlisted = live.map(({ contract }) => contract).filter((one) => !listed.tokens.has(one))
  const [facts, balances] = await Promise.all([
    deps.getFacts(chainId, [...new Set(unlisted)]),
    readTokenBalances(deps, account, live.filter(isFungible)),
  ])
  return live.map((one) => toAllowance(one, { deps, chainId, listed, facts, balances }))
}

type Context = {
  readonly deps: AllowanceDeps
  readonly chainId: ChainId
  readonly listed: ListedTokens
  readonly facts: ReadonlyMap<Hex, TokenFacts>
  readonly balances: ReadonlyMap<Hex, bigint>
}

const isFungible = ({ kind }: LiveAllowance) => kind === 'erc20' || kind === 'permit2'

/** Describes an allowance. The facts of token lists take precedence over the contract's own. */
function toAllowance(live: LiveAllowance, context: Context): Allowance {
  const { kind, contract, spender, tokenId, amount, changedAtMs, expiresAtMs } = live
  const { deps, chainId, listed, facts, balances } = context
  const known = listed.tokens.get(contract)
  const { name = null, symbol = null, decimals = null } = known ?? facts.get(contract) ?? {}
  const hasUnits = isFungible(live) && decimals !== null && decimals <= maxDecimals
  const balance = balances.get(contract)
  return {
    kind,
    token: {
      address: `${chainId}:${contract}`,
      name: known ? name : hideBait(name),
      symbol: known ? symbol : hideBait(symbol),
      iconUrl: (known && deps.getTokenIcon(known.symbol)) || null,
      ...(known && { isListed: true }),
    },
    tokenId: tokenId === undefined ? null : String(tokenId),
    spender,
    spenderName: getSpenderName(deps, chainId, spender),
    amount: hasUnits ? formatUnits(amount, decimals) : null,
    ...(hasUnits && balance !== undefined && { balance: formatUnits(balance, decimals) }),
    isUnlimited: isFungible(live) && isUnlimited(amount),
    changedAt: new Date(changedAtMs).toISOString(),
    expiresAt: expiresAtMs === undefined ? null : toIso(expiresAtMs),
    isSpam: isSpam(live, { name, symbol, isListed: known !== undefined, listed }),
  }
}

const maxDecimals = 36

/** Null if Permit2's 48-bit expiry is beyond the range of a date: it never ends. */
const toIso = (ms: number) => (ms > 8_640_000_000_000_000 ? null : new Date(ms).toISOString())

/**
 * The name of a contract that the server itself works with. A name from anywhere else could be a
 * lie.
 */
function getSpenderName({ config }: AllowanceDeps, chainId: ChainId, spender: Hex): string | null {
  if (spender === permit2Address) return 'Permit2'
  const swap = config.chains[chainId]?.swap
  const isRouter = swap?.source === 'uniswap' && swap.router.toLowerCase() === spender
  return isRouter ? 'Uniswap' : null
}

/**
 * An approval that the account itself sent is never spam; others by the rules of tokens and NFTs.
 */
function isSpam(
  { kind, ownAct, amount }: LiveAllowance,
  {
    name,
    symbol,
    isListed,
    listed: { knownNames },
  }: {
    readonly name: string | null
    readonly symbol: string | null
    readonly isListed: boolean
    readonly listed: ListedTokens
  },
): boolean {
  if (kind === 'erc721' || kind === 'operator')
    return isSpamNft({ name: null, texts: [name, symbol], ownAct, knownNames })
  return isSpamToken({ name, symbol, amount, listed: isListed, ownAct, knownNames })
}
