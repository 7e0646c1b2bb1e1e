import { checksumAddress, formatUnits } from '@latchkey/wire'
import { type Allowed, type ArgumentRule, formatArgument } from '@latchkey/wire/permissions'
import type { Hex } from 'viem'
import type { ApprovalRow, ApprovalView, Warning } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { fill } from '../../locales/en.ts'
import { permissionTexts as t } from '../../locales/permissions.en.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import type { EffectAsset } from '../effect.ts'
import { formatAsset, formatTime, type TokenMap } from '../formatAsset.ts'
import { tokenWarnings } from '../getWarnings.ts'
import { toBig } from '../params.ts'
import { readOnChainTokens } from '../readToken.ts'
import { danger, unique, unlimited } from '../warning.ts'

type DescribedView = Pick<ApprovalView, 'groups' | 'warnings' | 'editable'>
type Ending = { readonly expiry: number }

const hour = 3_600
const maxCalmSeconds = 30 * 24 * hour

/** Describes permissions, each in a separate group, with every limit that the chain enforces. */
export async function describeAllowed(
  request: ApprovalRequest,
  allowed: readonly Allowed[],
  { expiry }: Ending,
): Promise<DescribedView> {
  const { chain, accounts, read, signal, now } = request
  const tokenAddresses = allowed.flatMap((one) => (one.kind === 'erc20' ? [one.token as Hex] : []))
  const [tokens, balance] = await Promise.all([
    readOnChainTokens({ read, chain, signal, account: accounts.eip155 }, tokenAddresses),
    read(chain, 'eth_getBalance', [accounts.eip155, 'latest'], signal).then(toBig),
  ])
  const each = allowed.map((one) =>
    one.kind === 'call'
      ? describeCall(request, one)
      : describeAllowance(request, one, {
          tokens,
          balance,
          total: getTotal(one, expiry),
          sum: sumOfAsset(allowed, one, expiry),
        }),
  )
  const lasts = expiry - Math.floor(now() / 1_000)
  const warnings = [
    danger(fill(t.warn.without, { time: formatTime(BigInt(expiry)) })),
    ...(lasts > maxCalmSeconds ? [danger(t.warn.long)] : []),
    ...each.flatMap((one) => one.warnings),
  ]
  const [only] = each
  return {
    groups: each.map(({ group }) => group),
    warnings: unique(warnings),
    ...(each.length === 1 && only?.editable && { editable: only.editable }),
  }
}

type Group = ApprovalView['groups'][number]
type Described = { group: Group; warnings: Warning[]; editable?: DescribedView['editable'] }

type Allowance = Extract<Allowed, { kind: 'native' | 'erc20' }>

/** The most that an allowance can send until it ends, in the smallest unit. */
function getTotal({ amount, period, start }: Allowance, expiry: number): bigint {
  return amount * BigInt(Math.max(1, Math.ceil((expiry - start) / period)))
}

/** The sum over all allowances of one asset, because a page can split its request. */
function sumOfAsset(all: readonly Allowed[], one: Allowance, expiry: number): bigint {
  const token = (each: Allowance) => (each.kind === 'erc20' ? each.token : undefined)
  return all
    .filter((each): each is Allowance => each.kind !== 'call')
    .filter((each) => token(each) === token(one))
    .reduce((sum, each) => sum + getTotal(each, expiry), 0n)
}

function describeAllowance(
  { chain }: ApprovalRequest,
  one: Allowance,
  {
    tokens,
    balance,
    total,
    sum,
  }: { tokens: TokenMap; balance: bigint; total: bigint; sum: bigint },
): Described {
  const toAsset = (amount: bigint): EffectAsset =>
    one.kind === 'native'
      ? { kind: 'native', amount }
      : { kind: 'units', token: one.token as Hex, amount }
  const format = (amount: bigint) => formatAsset(toAsset(amount), { chain, tokens })
  const facts = one.kind === 'erc20' ? tokens.get(one.token) : undefined
  const held = one.kind === 'native' ? balance : facts?.balance
  const symbol =
    one.kind === 'native' ? chain.symbol : (facts?.symbol ?? approvals.approve.unknownToken)
  const decimals = one.kind === 'native' ? chain.decimals : facts?.decimals
  const rows: ApprovalRow[] = [
    {
      label: t.amount,
      value: fill(t.upTo, { amount: format(one.amount), period: formatPeriod(one.period) }),
    },
    { label: t.inAll, value: format(total) },
    { label: t.from, value: formatTime(BigInt(one.start)) },
    ...(one.kind === 'erc20' ? [{ label: t.token, address: checksumAddress(one.token) }] : []),
  ]
  return {
    group: { label: t.sends, rows },
    warnings: [
      ...tokenWarnings({ chain }, toAsset(one.amount), facts),
      ...(held === undefined ? [danger(t.warn.uncompared)] : []),
      ...(held !== undefined && sum >= held ? [unlimited(fill(t.warn.all, { symbol }))] : []),
      ...(one.period < hour ? [danger(t.warn.often)] : []),
    ],
    ...(decimals !== undefined && {
      editable: { amount: String(one.amount), max: String(one.amount), decimals, symbol },
    }),
  }
}

const operators = { EQUAL: t.equal, GREATER_THAN: t.greater, LESS_THAN: t.less } as const

function describeCall(
  { chain }: ApprovalRequest,
  { contract, signature, selector, valueLimit, rules }: Extract<Allowed, { kind: 'call' }>,
): Described {
  return {
    group: {
      label: t.calls,
      rows: [
        { label: t.contract, address: checksumAddress(contract) },
        { label: t.callee, text: `${signature} ${selector}` },
        { label: t.value, value: `${formatUnits(valueLimit, chain.decimals)} ${chain.symbol}` },
        ...rules.map(describeRule),
        { label: t.anyArgument, value: t.free },
      ],
    },
    warnings: [
      unlimited(
        fill(valueLimit > 0n ? t.warn.callsWithValue : t.warn.calls, { symbol: chain.symbol }),
      ),
    ],
  }
}

/**
 * The row of a rule for one argument. An address can only be compared for equality, and is shown
 * alone, as in every row.
 */
function describeRule(rule: ArgumentRule): ApprovalRow {
  const { index, type, operator } = rule
  const label = fill(t.argument, { number: index + 1, type })
  const value = formatArgument(rule)
  if (type === 'address') return { label, address: checksumAddress(value) }
  return { label, value: fill(operators[operator], { value }) }
}

const periods: Readonly<Record<number, string>> = {
  1: t.second,
  60: t.minute,
  [hour]: t.hour,
  [24 * hour]: t.day,
  [7 * 24 * hour]: t.week,
  [30 * 24 * hour]: t.month,
}

const formatPeriod = (seconds: number): string =>
  periods[seconds] ?? fill(t.seconds, { count: String(seconds) })
