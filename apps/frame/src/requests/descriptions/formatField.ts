import type { DescribedField } from '@latchkey/wire'
import { formatUnits, getAddress, type Hex } from 'viem'
import type { ApprovalRow } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { descriptions as t } from '../../locales/descriptions.en.ts'
import { fill } from '../../locales/en.ts'
import type { Asset } from '../effect.ts'
import { formatAsset, formatTime } from '../formatAsset.ts'
import { type Context, isKnown } from '../getWarnings.ts'
import { readTokens } from '../readToken.ts'
import { sanitizeName } from '../sanitizeName.ts'
import { type Field, isAddress, readNumber, selectFields } from './field.ts'

/** The parties of a call. */
export type Parties = { readonly from: Hex; readonly to: Hex }

type Given = { readonly field: DescribedField; readonly root: Field; readonly parties: Parties }

/** Words of others are in quotes, so that they cannot look like ours. */
export const quote = (text: string, maxLength = 60): string =>
  `“${sanitizeName(text, maxLength).replace(/[“”"]/g, '')}”`

/**
 * The rows of one described field: its label in quotes, and its value computed from what is signed. Empty if its path leads nowhere. A
 * value that does not fit its format is shown as it is.
 */
export async function formatField(context: Context, given: Given): Promise<ApprovalRow[]> {
  const { field, root, parties } = given
  const label = quote(field.label, 40)
  const selected = select(field.path, root, parties)
  const others = await Promise.all(
    selected.map(async (one, index) => format(context, given, { one, index })),
  )
  return others.flat().map((row) => ({ ...row, label: row.label === '' ? label : row.label }))
}

function select(path: string, root: Field, { from, to }: Parties): readonly Field[] {
  if (path === '@.from') return [{ name: '', type: 'address', value: from }]
  if (path === '@.to') return [{ name: '', type: 'address', value: to }]
  return selectFields(root, path).filter(({ value }) => value !== undefined)
}

/** Rows without a label are those of the field. */
async function format(
  context: Context,
  { field, root, parties }: Given,
  { one, index }: { one: Field; index: number },
): Promise<ApprovalRow[]> {
  const value = one.value ?? ''
  const party = (path: string | undefined, fixed: string | undefined) => {
    const found = path === undefined ? [] : select(path, root, parties)
    const address = path === undefined ? fixed : (found[index] ?? found[0])?.value
    return isAddress(address) ? address : undefined
  }
  const amount = readNumber(one)
  if (amount !== undefined && amount >= 0n) {
    const number = formatNumber(context, field, amount)
    if (number !== undefined) return [{ label: '', value: number }]
    if (field.format === 'tokenAmount')
      return formatToken(context, amount, { field, token: party(field.tokenPath, field.token) })
    if (field.format === 'nftName') {
      const collection = party(field.collectionPath, field.collection)
      const asset: Asset | undefined = collection && {
        kind: 'item',
        token: collection,
        id: amount,
        amount: 1n,
      }
      if (asset) return formatOf(context, asset, approvals.approve.contract)
    }
  }
  if (isAddress(value) && (field.format === 'addressName' || one.type === 'address'))
    return [toRow(context, '', value)]
  if (field.format === 'calldata' || value.length > 200) return [{ label: '', data: value }]
  return [{ label: '', value: sanitizeName(value, 200) }]
}

/** Formats that need nothing but the number. */
function formatNumber(
  { chain }: Context,
  field: DescribedField,
  amount: bigint,
): string | undefined {
  const { format, encoding, base, decimals = 0, values } = field
  if (format === 'amount')
    return formatAsset({ kind: 'native', amount }, { chain, tokens: new Map() })
  if (format === 'date')
    return encoding === 'blockheight'
      ? fill(t.block, { number: String(amount) })
      : formatTime(amount)
  if (format === 'duration') return formatDuration(amount)
  if (format === 'unit')
    return `${formatUnits(amount, decimals)}${base ? ` ${quote(base, 20)}` : ''}`
  if (format !== 'enum') return undefined
  const name = values && Object.hasOwn(values, String(amount)) ? values[String(amount)] : undefined
  return name === undefined ? String(amount) : `${quote(name)} (${amount})`
}

async function formatToken(
  context: Context,
  amount: bigint,
  { field, token }: { field: DescribedField; token: Hex | undefined },
): Promise<ApprovalRow[]> {
  if (token === undefined) return [{ label: '', value: fill(t.units, { amount: String(amount) }) }]
  const isNative = field.native?.some((one) => one.toLowerCase() === token.toLowerCase())
  if (isNative)
    return [
      {
        label: '',
        value: formatAsset({ kind: 'native', amount }, { chain: context.chain, tokens: new Map() }),
      },
    ]
  return formatOf(context, { kind: 'units', token, amount }, approvals.approve.token)
}

/** An asset with its contract, because names alone say little. */
async function formatOf(
  context: Context,
  asset: Extract<Asset, { token: Hex }>,
  label: string,
): Promise<ApprovalRow[]> {
  const tokens = await readTokens(context, [asset.token])
  return [
    { label: '', value: formatAsset(asset, { chain: context.chain, tokens }) },
    toRow(context, label, asset.token),
  ]
}

const toRow = (context: Context, label: string, address: Hex): ApprovalRow => ({
  label,
  address: getAddress(address),
  isNew: !isKnown(context, address),
})

function formatDuration(seconds: bigint): string {
  const [days, hours, minutes] = [
    seconds / 86_400n,
    (seconds / 3_600n) % 24n,
    (seconds / 60n) % 60n,
  ]
  const parts = [
    [days, t.days],
    [hours, t.hours],
    [minutes, t.minutes],
    [seconds % 60n, t.seconds],
  ] as const
  const shown = parts.filter(([count]) => count > 0n)
  return (shown.length > 0 ? shown : parts.slice(-1))
    .map(([count, text]) => fill(text, { count: String(count) }))
    .join(' ')
}
