import { type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import type { SwapOutcome, SwapPlan } from '../namespaces/swapPlan.ts'
import { fields, number, type Read, storedList, storedText } from '../storageSchema.ts'
import { fromSmallestUnit } from '../units.ts'

/**
 * A swap of this browser whose outcome is unknown: a transaction (`hash`), a batch (`callsId`), or
 * neither while the wallet has not responded, also if the page was closed meanwhile.
 */
export type SentSwap = {
  chainId: string
  address: string
  /** Milliseconds; no two swaps of a browser have the same. */
  askedAtMs: number
  /** Decimal string in whole tokens. */
  amount: string
  fromSymbol: string
  toSymbol: string
  hash?: string
  callsId?: string
}

const maxSwaps = 10
const lifetimeMs = 7 * 24 * 3_600_000

/** The swaps of an account on a network whose outcome is unknown, newest first. */
export const getSentSwaps = (
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): readonly SentSwap[] => {
  const { namespace } = parseChainId(chainId)
  return readAll(app).filter(
    (swap) =>
      swap.chainId === chainId && isSameAddress({ namespace, one: swap.address, other: address }),
  )
}

/** Saves the swap before the wallet prompts for it. */
export function saveSwap(app: App, { chainId, account, outflows, expected }: SwapPlan): SentSwap {
  const saved = readAll(app)
  const [paid = expected] = outflows
  const swap: SentSwap = {
    chainId,
    address: account.address,
    askedAtMs: Math.max(app.environment.now(), (saved[0]?.askedAtMs ?? 0) + 1),
    amount: fromSmallestUnit(paid.value, paid.decimals),
    fromSymbol: paid.symbol,
    toSymbol: expected.symbol,
  }
  app.storage.set('sentSwaps', [swap, ...saved].slice(0, maxSwaps))
  return swap
}

/** Saves the wallet's result of a swap. */
export const saveOutcome = (app: App, swap: SentSwap, outcome: SwapOutcome): void =>
  app.storage.set(
    'sentSwaps',
    readAll(app).map((one) => (one.askedAtMs === swap.askedAtMs ? { ...one, ...outcome } : one)),
  )

/**
 * Forgets a swap whose outcome was shown, or that was not sent; `id` is its `askedAtMs`, `hash` or
 * `callsId`.
 */
export function forgetSwap(app: App, { id }: { id: number | string }): void {
  if (app.storage.get('sentSwaps') === undefined) return
  const others = readAll(app).filter(
    ({ askedAtMs, hash, callsId }) => ![askedAtMs, hash, callsId].includes(id),
  )
  if (others.length > 0) app.storage.set('sentSwaps', others)
  else app.storage.remove('sentSwaps')
}

function readAll({ storage, environment }: App): SentSwap[] {
  try {
    return storedList(readSwap)(storage.get('sentSwaps') ?? []).filter(
      ({ askedAtMs }) => askedAtMs > environment.now() - lifetimeMs,
    )
  } catch {
    // It was written by other code.
    return []
  }
}

const readSwap: Read<SentSwap> = (value) => {
  const saved = fields(value)
  return {
    chainId: storedText(saved.chainId),
    address: storedText(saved.address),
    askedAtMs: number(saved.askedAtMs),
    amount: storedText(saved.amount),
    fromSymbol: storedText(saved.fromSymbol),
    toSymbol: storedText(saved.toSymbol),
    ...(saved.hash !== undefined && { hash: storedText(saved.hash) }),
    ...(saved.callsId !== undefined && { callsId: storedText(saved.callsId) }),
  }
}
