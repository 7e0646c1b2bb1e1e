import { checksumAddress } from '@latchkey/wire'
import type { Hex } from 'viem'
import type {
  ApprovalRow,
  ApprovalView,
  EditableAmount,
  Warning,
} from '../approval/approvalView.ts'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { CallWords } from './descriptions/fetchDescription.ts'
import type { Effect, EffectAsset } from './effect.ts'
import {
  capitalize,
  formatAsset,
  formatTime,
  isFungible,
  isRevocation,
  joinPhrases,
  type TokenMap,
} from './formatAsset.ts'
import { getWarnings, isKnown, type WarningContext } from './getWarnings.ts'
import { readOnChainTokens } from './readToken.ts'
import { unique } from './warning.ts'

export type Described = {
  title: string
  action: string
  groups: ApprovalView['groups']
  warnings: Warning[]
  editable?: EditableAmount
}

const t = approvals.approve
const maxNamed = 2

/**
 * Describes effects for the user: all of them in the title, then one group each, and the warnings.
 */
export async function describeEffects(
  context: WarningContext,
  effects: readonly Effect[],
  bySignature: boolean,
): Promise<Described> {
  const [tokens, words] = await Promise.all([
    readOnChainTokens(context, getTokens(effects)),
    readWords(context, effects),
  ])
  const isAllowance = effects.every(({ kind }) => kind === 'allow' || kind === 'operate')
  return {
    title: formatTitle(context, effects, tokens, bySignature),
    action: isAllowance ? t.actionAllow : bySignature ? t.actionSign : t.actionSend,
    groups: effects.map((effect) =>
      createGroup(context, effect, { tokens, words: words.get(effect) }),
    ),
    warnings: unique(
      effects.flatMap((one) =>
        getWarnings(context, one, { tokens, bySignature, words: words.get(one) }),
      ),
    ),
    ...findEditable(context, effects, tokens),
  }
}

/** Names for calls that we cannot decode. */
async function readWords(
  context: WarningContext,
  effects: readonly Effect[],
): Promise<ReadonlyMap<Effect, CallWords>> {
  if (effects.every((one) => one.kind !== 'call' || one.name !== undefined)) return new Map()
  const { describeUnread } = await import('./descriptions/describeUnread.ts')
  return describeUnread(context, effects)
}

/** Undefined if the token's decimals are unknown: users type amounts in its units. */
function findEditable(
  { requestedAllowance }: WarningContext,
  effects: readonly Effect[],
  tokens: TokenMap,
): Pick<Described, 'editable'> {
  const effect = effects.find((one) => one.kind === 'allow' && one.asset.amount > 0n)
  if (
    requestedAllowance === undefined ||
    effect?.kind !== 'allow' ||
    !isFungible(effect.asset, tokens)
  )
    return {}
  const token = 'token' in effect.asset ? tokens.get(effect.asset.token.toLowerCase()) : undefined
  if (token?.decimals === undefined) return {}
  const { symbol = t.unknownToken, decimals } = token
  return {
    editable: {
      amount: String(effect.asset.amount),
      max: String(requestedAllowance),
      decimals,
      symbol,
    },
  }
}

const getTokens = (effects: readonly Effect[]): Hex[] =>
  effects.flatMap((effect) => [
    ...getAssets(effect).flatMap((asset) => ('token' in asset ? asset.token : [])),
    ...(effect.kind === 'operate' ? [effect.collection] : []),
  ])

function getAssets(effect: Effect): readonly EffectAsset[] {
  if (effect.kind === 'sell') return [...effect.gives, ...effect.gets]
  return 'asset' in effect ? [effect.asset] : []
}

function formatTitle(
  { chain, account }: WarningContext,
  effects: readonly Effect[],
  tokens: TokenMap,
  bySignature: boolean,
): string {
  const name = (asset: EffectAsset) => formatAsset(asset, { chain, tokens })
  const of = <Kind extends Effect['kind']>(kind: Kind) =>
    effects.filter((one): one is Extract<Effect, { kind: Kind }> => one.kind === kind)
  const [sent, moved] = split(of('send'), ({ from }) => isSame(from, account))
  const [returned, allowed] = split(of('allow'), (one) => isRevocation(one, tokens))
  const [controlled, released] = split(of('operate'), ({ approved }) => approved)
  const phrase = (text: string, assets: readonly EffectAsset[]) =>
    assets.length > 0 ? [fill(text, { what: listed(assets, name) })] : []
  const phrases = [
    ...phrase(
      t.titleSend,
      sent.map(({ asset }) => asset),
    ),
    ...phrase(
      t.titleAllow,
      allowed.map(({ asset }) => asset),
    ),
    ...(controlled.length > 0 ? [t.titleOperate] : []),
    ...of('sell').map(({ gives, gets, unsure }) =>
      fill(gets.length > 0 && !unsure ? t.titleSell : t.titleGive, {
        what: listed(gives, name),
        price: listed(gets, name),
      }),
    ),
    ...phrase(
      t.titleMove,
      moved.map(({ asset }) => asset),
    ),
    ...(returned.length > 0 ? [t.titleRevoke] : []),
    ...(released.length > 0 ? [t.titleRelease] : []),
    ...(of('call').length > 0 ? [t.titleCall] : []),
    ...(of('deploy').length > 0 ? [t.titleDeploy] : []),
  ]
  return fill(bySignature ? t.titleSigned : t.titleAsk, {
    what: capitalize(joinPhrases(unique(phrases))),
  })
}

/** Native currency always by its amount; a few other assets by name, many by their number. */
function listed(assets: readonly EffectAsset[], name: (asset: EffectAsset) => string): string {
  const [native, others] = split(assets, ({ kind }) => kind === 'native')
  const [units, items] = split(others, ({ kind }) => kind === 'units')
  const some = (list: readonly EffectAsset[], many: string) =>
    list.length > maxNamed ? [fill(many, { count: list.length })] : list.map(name)
  return joinPhrases([
    ...native.map(name),
    ...some(units, t.manyTokens),
    ...some(items, t.manyItems),
  ])
}

function createGroup(
  context: WarningContext,
  effect: Effect,
  { tokens, words }: { tokens: TokenMap; words: CallWords | undefined },
): ApprovalView['groups'][number] {
  const { chain, account } = context
  const show = (asset: EffectAsset) => capitalize(formatAsset(asset, { chain, tokens }))
  const who = (label: string, address: Hex): ApprovalRow => ({
    label,
    address: checksumAddress(address),
    isNew: !isKnown(context, address),
  })
  const until = (seconds: bigint | undefined) =>
    seconds === undefined ? [] : [{ label: t.deadline, value: formatTime(seconds) }]
  const place = (asset: EffectAsset): ApprovalRow[] =>
    asset.kind === 'native'
      ? []
      : [who(isFungible(asset, tokens) ? t.token : t.contract, asset.token)]
  switch (effect.kind) {
    case 'send':
      return {
        label: isSame(effect.from, account) ? t.leaves : t.moves,
        rows: [
          { label: t.amount, value: show(effect.asset) },
          ...(effect.to ? [who(t.to, effect.to)] : []),
          ...(isSame(effect.from, account) ? [] : [who(t.from, effect.from)]),
          ...place(effect.asset),
          ...until(effect.until),
        ],
      }
    case 'allow':
      return {
        label: isRevocation(effect, tokens) ? t.returns : t.allows,
        rows: [
          { label: t.amount, value: show(effect.asset) },
          ...(context.requestedAllowance === undefined ||
          effect.asset.amount === 0n ||
          context.requestedAllowance === effect.asset.amount
            ? []
            : [
                {
                  label: t.askedFor,
                  value: show({ ...effect.asset, amount: context.requestedAllowance }),
                },
              ]),
          who(isRevocation(effect, tokens) ? t.formerSpender : t.spender, effect.spender),
          ...(isSame(effect.owner, account) ? [] : [who(t.from, effect.owner)]),
          ...place(effect.asset),
          ...(effect.via ? [who(t.contract, effect.via)] : []),
          ...until(effect.until),
        ],
      }
    case 'operate':
      return {
        label: effect.approved ? t.allows : t.returns,
        rows: [
          { label: t.amount, value: t.allItems },
          who(effect.approved ? t.spender : t.formerSpender, effect.operator),
          who(t.contract, effect.collection),
          ...until(effect.until),
        ],
      }
    case 'sell':
      return {
        label: t.sells,
        rows: [
          ...effect.gives.flatMap((one) => [{ label: t.gives, value: show(one) }, ...place(one)]),
          ...(effect.gets.length > 0
            ? effect.gets.flatMap((one) => [{ label: t.gets, value: show(one) }, ...place(one)])
            : [{ label: t.gets, value: t.nothing }]),
          { label: t.spender, value: t.anybody },
          ...(isSame(effect.owner, account) ? [] : [who(t.from, effect.owner)]),
          ...until(effect.until),
        ],
      }
    case 'call':
      return {
        label: t.calls,
        rows: [
          who(t.contract, effect.contract),
          ...(words?.rows ?? []),
          ...(effect.name === undefined ? [] : [{ label: t.function, value: effect.name }]),
          ...(effect.name === undefined || effect.data !== '0x'
            ? [{ label: t.data, data: effect.data }]
            : []),
        ],
      }
    case 'deploy':
      return { label: t.deploys, rows: [{ label: t.data, data: effect.data }] }
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function split<T>(list: readonly T[], has: (one: T) => boolean): [T[], T[]] {
  return [list.filter(has), list.filter((one) => !has(one))]
}
