import { formatUnits, getAddress, type Hex } from 'viem'
import type { FrameChain } from '../chains.ts'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { ReadChain } from '../readChain.ts'
import type { ApprovalRow, Warning } from './approval.ts'
import { readCall } from './readCall.ts'
import { readToken, type Token } from './readToken.ts'
import { lookAlike } from './recipients.ts'

export type Call = { to: Hex | undefined; value: bigint; data: Hex }

/** What the description of calls reads from. `known`: addresses sent to before; `account`: whose wallet it is. */
export type CallContext = {
  read: ReadChain
  chain: FrameChain
  account: Hex
  known: readonly string[]
  signal?: AbortSignal | undefined
}

export type Described = {
  title: string
  action: string
  rows: ApprovalRow[]
  warnings: Warning[]
  /** Who gets something: remembered after it was sent. */
  recipients: string[]
}

const t = approvals.approve
const unlimitedFrom = 2n ** 159n
const mostNested = 10
const mostDepth = 3
const yearSeconds = 366n * 86_400n

/** What one call does, in words. */
export async function describeCall(
  context: CallContext,
  call: Call,
  depth = 0,
): Promise<Described> {
  const { chain } = context
  const native = (wei: bigint) => `${formatUnits(wei, chain.decimals)} ${chain.symbol}`
  const base = { action: t.actionSend, warnings: [] as Warning[], recipients: [] as string[] }
  const value = call.value > 0n ? [{ label: t.amount, value: native(call.value) }] : []
  if (call.to === undefined)
    return {
      ...base,
      title: t.titleDeploy,
      rows: [...value, { label: t.data, text: call.data }],
      warnings: [danger(approvals.warn.raw)],
    }
  const to = getAddress(call.to)
  if (call.data === '0x')
    return {
      ...base,
      title: fill(t.titleSend, { amount: native(call.value) }),
      rows: [
        { label: t.amount, value: native(call.value) },
        { label: t.to, address: to },
      ],
      warnings: recipientWarnings(context, to),
      recipients: [to],
    }
  const described = await describeData(context, { to, data: call.data }, depth)
  return {
    ...base,
    ...described,
    rows: [...(described.paysInWords ? [] : value), ...described.rows],
  }
}

type Part = Partial<Described> & Pick<Described, 'title' | 'rows'> & { paysInWords?: boolean }

async function describeData(
  context: CallContext,
  { to, data }: { to: Hex; data: Hex },
  depth: number,
): Promise<Part> {
  const call = readCall(data)
  switch (call.kind) {
    case 'transfer':
      return transfer(context, { token: to, from: undefined, to: call.to, amount: call.amount })
    case 'transferFrom':
      return transfer(context, { token: to, ...call })
    case 'item':
      return items(context, to, call)
    case 'approve':
      return allowance(context, { token: to, ...call })
    case 'permit2':
      return allowance(context, { ...call, via: to })
    case 'permit':
      return allowance(context, { token: to, ...call })
    case 'operator':
      return operator(to, call)
    case 'multicall':
      return depth < mostDepth && call.calls.length <= mostNested
        ? nested(context, to, call.calls, depth)
        : raw(to, data)
    case 'wrap':
    case 'unwrap':
      return wrapping(context, to, call)
    default:
      return raw(to, data)
  }
}

async function transfer(
  context: CallContext,
  { token, from, to, amount }: { token: Hex; from: Hex | undefined; to: Hex; amount: bigint },
): Promise<Part> {
  const facts = await readToken(context, token)
  const shown =
    from !== undefined && facts.decimals === undefined
      ? fill(t.item, { id: String(amount) })
      : amountOf(facts, amount)
  const warnings = [...tokenWarnings(facts, from !== undefined), ...recipientWarnings(context, to)]
  if (to.toLowerCase() === token.toLowerCase()) warnings.push(danger(approvals.warn.self))
  return {
    title: fill(t.titleTransfer, { amount: shown }),
    rows: [
      { label: t.amount, value: shown },
      { label: t.to, address: getAddress(to) },
      ...(from && from.toLowerCase() !== context.account.toLowerCase()
        ? [{ label: t.from, address: getAddress(from) }]
        : []),
      { label: t.token, address: getAddress(token) },
    ],
    warnings,
    recipients: [to],
  }
}

function items(
  context: CallContext,
  collection: Hex,
  call: { from: Hex; to: Hex; ids: readonly bigint[]; amounts: readonly bigint[] },
): Part {
  const shown = call.ids.map((id, index) => {
    const count = call.amounts[index] ?? 1n
    return count === 1n
      ? fill(t.item, { id: String(id) })
      : fill(t.items, { count: String(count), id: String(id) })
  })
  return {
    title: fill(t.titleTransfer, { amount: shown[0] ?? t.nothing }),
    rows: [
      ...shown.map((value) => ({ label: t.amount, value })),
      { label: t.to, address: getAddress(call.to) },
      ...(call.from.toLowerCase() === context.account.toLowerCase()
        ? []
        : [{ label: t.from, address: getAddress(call.from) }]),
      { label: t.contract, address: getAddress(collection) },
    ],
    warnings: recipientWarnings(context, call.to),
    recipients: [call.to],
  }
}

type Allowance = {
  token: Hex
  spender: Hex
  amount: bigint
  change?: 'more' | 'less'
  deadline?: bigint
  expiration?: bigint
  via?: Hex
}

/** An allowance, given by a call or by a signature. */
export async function allowance(context: CallContext, given: Allowance): Promise<Part> {
  const { token, spender, amount, change, via } = given
  const facts = await readToken(context, token)
  const takesBack = (amount === 0n && !change) || change === 'less'
  const unlimited = amount >= unlimitedFrom
  const shown = unlimited
    ? fill(t.unlimited, { symbol: facts.symbol ?? '' }).trim()
    : amountOf(facts, amount)
  const until = given.deadline ?? given.expiration
  return {
    title: takesBack ? t.titleRevoke : t.titleApprove,
    action: t.actionAllow,
    rows: [
      { label: t.amount, value: shown },
      { label: t.spender, address: getAddress(spender) },
      { label: t.token, address: getAddress(token) },
      ...(via ? [{ label: t.contract, address: getAddress(via) }] : []),
      ...(until === undefined ? [] : [{ label: t.deadline, value: showTime(until) }]),
    ],
    warnings: takesBack
      ? []
      : [
          ...tokenWarnings(facts, true),
          ...(unlimited
            ? [danger(fill(approvals.warn.unlimited, { symbol: facts.symbol ?? t.token }))]
            : []),
          ...recipientLooks(context, spender),
          ...(until !== undefined && isFar(until) ? [caution(approvals.warn.deadlineFar)] : []),
        ],
  }
}

const operator = (collection: Hex, call: { operator: Hex; approved: boolean }): Part => ({
  title: call.approved ? t.titleOperator : t.titleRevoke,
  action: t.actionAllow,
  rows: [
    { label: t.spender, address: getAddress(call.operator) },
    { label: t.contract, address: getAddress(collection) },
  ],
  warnings: call.approved ? [danger(approvals.warn.operator)] : [],
})

async function nested(
  context: CallContext,
  to: Hex,
  calls: readonly Hex[],
  depth: number,
): Promise<Part> {
  const parts: Described[] = []
  for (const data of calls)
    parts.push(await describeCall(context, { to, value: 0n, data }, depth + 1))
  return {
    title: fill(t.titleCalls, { count: calls.length }),
    rows: [
      { label: t.contract, address: getAddress(to) },
      ...parts.flatMap(({ title, rows }, index) => [
        { label: fill(t.and, { n: index + 1 }), value: title },
        ...rows,
      ]),
    ],
    warnings: parts.flatMap(({ warnings }) => warnings),
    recipients: parts.flatMap(({ recipients }) => recipients),
  }
}

async function wrapping(
  context: CallContext,
  to: Hex,
  call: { kind: 'wrap' } | { kind: 'unwrap'; amount: bigint },
): Promise<Part> {
  const facts = await readToken(context, to)
  return {
    title: t.titleTransaction,
    rows: [
      { label: t.function, value: call.kind === 'wrap' ? 'deposit()' : 'withdraw(uint256)' },
      ...(call.kind === 'wrap' ? [] : [{ label: t.amount, value: amountOf(facts, call.amount) }]),
      { label: t.contract, address: getAddress(to) },
    ],
    // Any contract may have a function of that name.
    warnings: recipientLooks(context, to),
  }
}

const raw = (to: Hex, data: Hex): Part => ({
  title: t.titleTransaction,
  rows: [
    { label: t.contract, address: getAddress(to) },
    { label: t.data, text: data },
  ],
  warnings: [danger(approvals.warn.raw)],
})

export const danger = (text: string): Warning => ({ level: 'danger', text })
export const caution = (text: string): Warning => ({ level: 'caution', text })

function amountOf({ symbol, decimals }: Token, amount: bigint): string {
  if (decimals === undefined) return fill(t.smallest, { amount: String(amount) })
  return `${formatUnits(amount, decimals)} ${symbol ?? t.token}`
}

const tokenWarnings = ({ symbol, decimals }: Token, mayBeItem: boolean): Warning[] =>
  (decimals === undefined && !mayBeItem) || symbol === undefined
    ? [caution(approvals.warn.tokenUnknown)]
    : []

function recipientWarnings(context: CallContext, to: string): Warning[] {
  const looks = recipientLooks(context, to)
  if (looks.length > 0) return looks
  const known = [...context.known, context.account].map((one) => one.toLowerCase())
  return known.includes(to.toLowerCase()) ? [] : [caution(approvals.warn.firstTime)]
}

function recipientLooks({ known, account }: CallContext, to: string): Warning[] {
  const other = lookAlike(to, [...known, account])
  return other && !known.includes(to.toLowerCase())
    ? [danger(fill(approvals.warn.lookAlike, { known: getAddress(other as Hex) }))]
    : []
}

const isFar = (seconds: bigint) => seconds > BigInt(Math.floor(Date.now() / 1_000)) + yearSeconds

const showTime = (seconds: bigint): string =>
  seconds > 253_402_300_799n
    ? t.forever
    : new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').slice(0, 16)
