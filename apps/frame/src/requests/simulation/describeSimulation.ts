import { checksumAddress } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalRow, ApprovalView, Warning } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import type { Effect, EffectAsset } from '../effect.ts'
import { capitalize, formatAsset, joinPhrases, type TokenMap } from '../formatAsset.ts'
import { isKnown, tokenWarnings, type WarningContext } from '../getWarnings.ts'
import { readOnChainTokens } from '../readToken.ts'
import { sanitizeName } from '../sanitizeName.ts'
import { caution, danger, unlimited } from '../warning.ts'
import { formatWorth } from './formatWorth.ts'
import type { EvmSimulation, ExpectedAllowance, ExpectedChange } from './simulate.ts'

const t = approvals.approve
const { warn } = approvals
const maxReason = 120

/** The decoded request: a group for each of the effects. */
type DecodedView = Pick<ApprovalView, 'groups'> & { readonly effects: readonly Effect[] }

/** A simulation merged with the decoded request. `groups`: the decoded groups come first. */
export type DescribedSimulation = {
  readonly groups: ApprovalView['groups']
  readonly place: readonly ApprovalRow[]
  readonly warnings: readonly Warning[]
}

/**
 * Merges simulated changes into the decoded effects. A change that the calldata does not explain
 * becomes a danger. If all changes match, one row states that and no group follows. Amounts that
 * leave or arrive get their dollar value.
 */
export async function describeSimulation(
  context: WarningContext,
  { effects, groups }: DecodedView,
  simulation: EvmSimulation,
): Promise<DescribedSimulation> {
  const { changes, allowances, answered, asked, reason, prices } = simulation
  const failed =
    reason === undefined
      ? []
      : [danger(fill(warn.fails, { reason: sanitizeName(reason, maxReason) }))]
  if (answered === 0) return { groups, place: [], warnings: [...failed, caution(warn.unsimulated)] }
  const tokens = await readOnChainTokens(context, [
    ...changes.flatMap(({ asset }) => ('token' in asset ? asset.token : [])),
    ...allowances.map(({ token }) => token),
  ])
  const isRead = effects.every((one) => isNamed(one))
  const leaving = changes.filter((one) => isBeyond(one, effects, context.account))
  const allowed = allowances.filter((one) => !isAsked(one, effects, context.account))
  const show = (one: ExpectedChange | ExpectedAllowance) => formatShown(context, one, tokens)
  const worth = (asset: EffectAsset) => formatWorth(context, asset, { prices, tokens })
  const said = groups.map((group, at) => {
    const effect = effects[at]
    const [amount, ...rows] = group.rows
    return effect?.kind === 'send' && amount
      ? { ...group, rows: [{ ...amount, worth: worth(effect.asset) }, ...rows] }
      : group
  })
  const warnings = [
    ...(simulation.doNodesDisagree ? [danger(warn.nodesDisagree)] : []),
    ...(answered < asked ? [caution(warn.nodeSilent)] : []),
    ...failed,
    ...(simulation.isComplete ? [] : [caution(warn.simulatedPartly)]),
    ...(isRead && leaving.length > 0
      ? [danger(fill(warn.leavesMore, { what: joinPhrases(leaving.map(show)) }))]
      : []),
    ...allowed.map((one) => unlimited(fill(warn.allowsMore, { what: show(one) }))),
    ...changes.flatMap(({ asset }) =>
      tokenWarnings(context, asset, 'token' in asset ? tokens.get(asset.token) : undefined),
    ),
  ]
  if (reason !== undefined && changes.length === 0 && allowances.length === 0)
    return { groups: said, place: [], warnings }
  if (
    simulation.isComplete &&
    isRead &&
    allowed.length === 0 &&
    isAsSaid(changes, effects, context.account)
  )
    return {
      groups: said,
      place: [
        {
          label: t.simulation.triedOut,
          value: asked > 1 && answered > 1 ? t.simulation.asSaidByTwo : t.simulation.asSaid,
        },
      ],
      warnings,
    }
  const rows = createRows(context, { changes, allowances, show, worth })
  return {
    groups: [
      ...said,
      {
        label: t.simulation.label,
        rows: rows.length > 0 ? rows : [{ label: t.simulation.nothing }],
      },
    ],
    place: [],
    warnings,
  }
}

const isNamed = (effect: Effect) =>
  effect.kind === 'call' ? effect.name !== undefined : effect.kind !== 'deploy'

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The possible keys of an asset among the changes: the bytes may mean units or an item. */
function getKeys(asset: EffectAsset): string[] {
  if (asset.kind === 'native') return ['native']
  const token = asset.token.toLowerCase()
  if (asset.kind === 'either') return [token, `${token} ${asset.amount}`]
  return [asset.kind === 'units' ? token : `${token} ${asset.id}`]
}

/** How much of an asset leaves the account according to the calldata. */
const getSaid = (key: string, effects: readonly Effect[], account: Hex): bigint =>
  effects.reduce((sum, one) => {
    if (one.kind !== 'send' || !isSame(one.from, account) || !getKeys(one.asset).includes(key))
      return sum
    const isItem = one.asset.kind === 'either' && key.includes(' ')
    return sum + (isItem ? 1n : one.asset.amount)
  }, 0n)

/** Whether more leaves than the calldata states. */
function isBeyond(
  { key, amount }: ExpectedChange,
  effects: readonly Effect[],
  account: Hex,
): boolean {
  // A contract can always move its own token: unwrapping takes what it wrapped.
  if (effects.some((one) => one.kind === 'call' && isSame(one.contract, key))) return false
  return -amount > getSaid(key, effects, account)
}

/** Whether exactly the assets in the calldata leave, and nothing arrives. */
const isAsSaid = (
  changes: readonly ExpectedChange[],
  effects: readonly Effect[],
  account: Hex,
): boolean =>
  changes.every(({ key, amount }) => -amount === getSaid(key, effects, account)) &&
  effects.every(
    (one) =>
      one.kind !== 'send' ||
      one.asset.amount === 0n ||
      getKeys(one.asset).some((key) => changes.some((change) => change.key === key)),
  )

/** Whether the calldata contains the allowance, for at least the same amount. */
function isAsked(allowance: ExpectedAllowance, effects: readonly Effect[], account: Hex): boolean {
  const { token, spender, asset, via } = allowance
  return effects.some((one) => {
    if (one.kind === 'operate')
      return one.approved && isSame(one.collection, token) && isSame(one.operator, spender)
    if (one.kind !== 'allow' || !isSame(one.spender, spender)) return false
    if (!isSame(one.owner, account) || (via ?? '').toLowerCase() !== (one.via ?? '').toLowerCase())
      return false
    if (!('token' in one.asset) || !isSame(one.asset.token, token) || !asset) return false
    if (one.change === 'more') return true
    const id = one.asset.kind === 'item' ? one.asset.id : one.asset.amount
    return asset.kind === 'item' ? asset.id === id : asset.amount <= one.asset.amount
  })
}

const formatShown = (
  context: WarningContext,
  one: ExpectedChange | ExpectedAllowance,
  tokens: TokenMap,
) =>
  one.asset
    ? formatAsset(one.asset, { chain: context.chain, tokens })
    : fill(t.allItemsOf, {
        symbol: ('token' in one ? tokens.get(one.token)?.symbol : undefined) ?? t.unknownToken,
      })

function createRows(
  context: WarningContext,
  {
    changes,
    allowances,
    show,
    worth,
  }: {
    changes: readonly ExpectedChange[]
    allowances: readonly ExpectedAllowance[]
    show: (one: ExpectedChange | ExpectedAllowance) => string
    worth: (asset: EffectAsset) => string | undefined
  },
): ApprovalRow[] {
  const who = (label: string, address: Hex): ApprovalRow => ({
    label,
    address: checksumAddress(address),
    isNew: !isKnown(context, address),
  })
  const row = (one: ExpectedChange): ApprovalRow[] => [
    {
      label: one.amount < 0n ? t.simulation.leaves : t.simulation.arrives,
      value: capitalize(show(one)),
      worth: worth(one.asset),
    },
    ...('token' in one.asset ? [who(t.token, one.asset.token)] : []),
  ]
  return [
    ...changes.filter(({ amount }) => amount < 0n).flatMap(row),
    ...changes.filter(({ amount }) => amount > 0n).flatMap(row),
    ...allowances.flatMap((one) => [
      { label: t.allows, value: capitalize(show(one)) },
      who(t.spender, one.spender),
      who(t.token, one.token),
    ]),
  ]
}
