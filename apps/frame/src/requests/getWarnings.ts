import { checksumAddress, findLookalike } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { Warning } from '../approval/approvalView.ts'
import type { FrameChain } from '../chains.ts'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { ReadChain } from '../readChain.ts'
import type { CallWords, FetchDescription } from './descriptions/fetchDescription.ts'
import type { Effect, EffectAsset } from './effect.ts'
import {
  formatAsset,
  isFungible,
  isRevocation,
  type TokenMap,
  unlimitedFrom,
} from './formatAsset.ts'
import type { OnChainToken } from './readToken.ts'
import { caution, danger, unlimited } from './warning.ts'

const t = approvals.warn
const yearSeconds = 366n * 86_400n

/**
 * The input of the descriptions. `known`: addresses that this browser has interacted with for the
 * account on the network, in lower case.
 */
export type WarningContext = {
  readonly read: ReadChain
  readonly chain: FrameChain
  readonly account: Hex
  readonly known: readonly string[]
  readonly now: () => number
  readonly fetchDescription: FetchDescription
  /** The allowance that the page requests, in smallest units, if the user may lower it. */
  readonly requestedAllowance?: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

/** Whether the account has interacted with an address before, or is that address. */
export const isKnown = ({ known, account }: WarningContext, address: string): boolean => {
  const small = address.toLowerCase()
  return small === account.toLowerCase() || known.includes(small)
}

/** The warnings for an effect. No RPC response can remove the last warning of an allowance. */
export function getWarnings(
  context: WarningContext,
  effect: Effect,
  {
    tokens,
    bySignature,
    words,
  }: { tokens: TokenMap; bySignature: boolean; words?: CallWords | undefined },
): Warning[] {
  const { chain } = context
  const facts = (asset: EffectAsset) =>
    'token' in asset ? tokens.get(asset.token.toLowerCase()) : undefined
  const signed = bySignature ? [danger(t.permit)] : []
  switch (effect.kind) {
    case 'send': {
      const { asset, to, unpayable } = effect
      const shown = formatAsset(asset, { chain, tokens })
      const toSelf = to && 'token' in asset && to.toLowerCase() === asset.token.toLowerCase()
      return [
        ...(unpayable ? [danger(fill(t.unpayable, { amount: shown }))] : []),
        ...signed,
        ...tokenWarnings(context, asset, facts(asset)),
        ...(to ? strangerWarnings(context, to, t.firstTime) : []),
        ...(toSelf ? [danger(t.self)] : []),
        ...(to && ownerless.test(to) ? [danger(t.ownerless)] : []),
        ...farWarnings(context, effect.until),
      ]
    }
    case 'allow': {
      const { asset, spender } = effect
      const stranger = strangerWarnings(context, spender, t.newSpender)
      if (isRevocation(effect, tokens)) return stranger
      return [
        allowanceWarning(effect, {
          facts: facts(asset),
          tokens,
          shown: formatAsset(asset, { chain, tokens }),
        }),
        ...signed,
        ...tokenWarnings(context, asset, facts(asset)),
        ...stranger,
        ...farWarnings(context, effect.until),
      ]
    }
    case 'operate':
      return [
        ...(effect.approved ? [unlimited(t.operator), ...signed] : []),
        ...strangerWarnings(context, effect.operator, t.newSpender),
        ...farWarnings(context, effect.until),
      ]
    case 'sell': {
      const { gives, gets, unsure } = effect
      const isNothing = gets.every(({ amount }) => amount === 0n)
      return [
        isNothing ? danger(t.forNothing) : unsure ? danger(t.priceUnsure) : caution(t.sale),
        ...signed,
        ...(gives.some((one) => one.kind === 'item' && one.id === undefined)
          ? [danger(t.anyItem)]
          : []),
        ...gets.flatMap((one) =>
          'token' in one && !isKnown(context, one.token)
            ? [caution(fill(t.newPrice, { symbol: facts(one)?.symbol ?? one.token }))]
            : [],
        ),
        ...[...gives, ...gets].flatMap((one) => tokenWarnings(context, one, facts(one))),
        ...farWarnings(context, effect.until),
      ]
    }
    case 'call': {
      if (effect.name === undefined) return [words?.warning ?? danger(t.raw)]
      const isNew = !isKnown(context, effect.contract)
      if (effect.isHarmless) return isNew ? [caution(t.newContract)] : []
      return [isNew ? danger(t.nameOnly) : caution(t.nameOnly)]
    }
    case 'deploy':
      return [danger(t.raw)]
  }
}

/** Addresses without a known key, used to burn tokens. */
const ownerless = /^0x0{36}(0000|dead)$/i

type AllowanceFacts = { facts: OnChainToken | undefined; tokens: TokenMap; shown: string }

/**
 * The warning of an allowance. A lying RPC can at most turn a danger into a caution, and not for an
 * amount that no token has: a missing or contradictory response counts as no limit.
 */
function allowanceWarning(
  { asset, change }: Extract<Effect, { kind: 'allow' }>,
  { facts, tokens, shown }: AllowanceFacts,
): Warning {
  const isUnknown = asset.kind === 'either' && facts?.isUnread
  if (isUnknown && asset.amount >= unlimitedFrom) return unlimited(t.uncompared)
  if (!isFungible(asset, tokens)) return danger(fill(t.itemTaken, { what: shown }))
  const symbol = facts?.symbol ?? approvals.approve.unknownToken
  const { balance, supply } = facts ?? {}
  if (asset.amount >= unlimitedFrom) return unlimited(fill(t.unlimited, { symbol }))
  if (balance === undefined || !supply || balance > supply) return unlimited(t.uncompared)
  if (asset.amount >= supply) return unlimited(fill(t.unlimited, { symbol }))
  if (change === 'more') return danger(fill(t.more, { amount: shown }))
  if (asset.amount >= balance) return danger(fill(t.allOfIt, { symbol }))
  return caution(fill(t.partOfIt, { amount: shown }))
}

/** Warnings about a token's suspicious name or decimals. */
export function tokenWarnings(
  { chain }: Pick<WarningContext, 'chain'>,
  asset: EffectAsset,
  facts: OnChainToken | undefined,
): Warning[] {
  if (asset.kind === 'native') return []
  const { symbol, decimals, isPlain, isDisputed } = facts ?? {}
  if (isDisputed) return [danger(t.nodesDisagree)]
  const isUnits = asset.kind === 'units'
  // A contract that returns neither may not be a token, and then it is unknown what the call moves.
  if (isUnits && symbol === undefined && decimals === undefined) return [danger(t.tokenUnknown)]
  if (symbol === undefined || (isUnits && decimals === undefined)) return [caution(t.tokenUnknown)]
  if (symbol.toLowerCase() === chain.symbol.toLowerCase())
    return [danger(fill(t.notNative, { symbol }))]
  return isPlain ? [] : [caution(t.tokenLetters)]
}

function strangerWarnings(context: WarningContext, address: Hex, text: string): Warning[] {
  if (isKnown(context, address)) return []
  const other = findLookalike(address, [...context.known, context.account])
  return other
    ? [danger(fill(t.findLookalike, { known: checksumAddress(other as Hex) }))]
    : [caution(text)]
}

const farWarnings = ({ now }: WarningContext, until: bigint | undefined): Warning[] =>
  until !== undefined && until > BigInt(Math.floor(now() / 1_000)) + yearSeconds
    ? [caution(t.deadlineFar)]
    : []
