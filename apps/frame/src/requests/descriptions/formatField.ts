import { checksumAddress, type DescribedField, formatUnits, sanitizeText } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalRow } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { descriptions as t } from '../../locales/descriptions.en.ts'
import { fill } from '../../locales/en.ts'
import type { EffectAsset } from '../effect.ts'
import { formatAsset, formatTime } from '../formatAsset.ts'
import { isKnown, type WarningContext } from '../getWarnings.ts'
import { readOnChainTokens } from '../readToken.ts'
import { sanitizeName } from '../sanitizeName.ts'
import {
  type DescriptionField,
  isAddressType,
  readNumber,
  type Selected,
  selectFields,
} from './field.ts'

/** The parties of a call. */
export type Parties = { readonly from: Hex; readonly to: Hex }

/** At most this many values of one field are named. */
const maxSelected = 50

type FieldParameters = {
  readonly field: DescribedField
  readonly root: DescriptionField
  readonly parties: Parties
}

/** Quotes third-party text, so that it cannot look like our own. */
export const quote = (text: string, maxLength = 60): string =>
  `“${sanitizeName(text, maxLength).replace(/[“”"]/g, '')}”`

/**
 * The rows of one described field: its label in quotes, and its value computed from the signed
 * data. Empty if its path leads nowhere. A value that does not fit its format is shown unformatted.
 */
export async function formatField(
  context: WarningContext,
  given: FieldParameters,
): Promise<ApprovalRow[]> {
  const { field, root, parties } = given
  const label = quote(field.label, 40)
  const selected = select(field.path, root, parties)
  const party = readParty(given)
  const values = await Promise.all(
    selected
      .slice(0, maxSelected)
      .map(({ field: one, at }) => format(context, field, { one, party: party(at) })),
  )
  const rest = selected.length - maxSelected
  return [
    ...values.flat().map((row) => ({ ...row, label: row.label === '' ? label : row.label })),
    ...(rest > 0 ? [{ label, value: fill(t.more, { count: rest }) }] : []),
  ]
}

function select(path: string, root: DescriptionField, { from, to }: Parties): readonly Selected[] {
  const party = path === '@.from' ? from : path === '@.to' ? to : undefined
  if (party !== undefined) return [{ field: { name: '', type: 'address', value: party }, at: [] }]
  return selectFields(root, path).filter(({ field }) => field.value !== undefined)
}

/**
 * Finds the token or collection of a value by its position in lists: at the same position, or in
 * the struct around it. Undefined if the lists have no such position, so that no amount is shown in
 * the units of another token.
 */
function readParty({
  field,
  root,
  parties,
}: FieldParameters): (at: readonly number[]) => Hex | undefined {
  const path = field.tokenPath ?? field.collectionPath
  const fixed = field.token ?? field.collection
  if (path === undefined) return () => (isAddressType(fixed) ? fixed : undefined)
  const found = new Map(
    select(path, root, parties).map((one) => [one.at.join(), one.field.value] as const),
  )
  return (at) => {
    const places = at.map((_, index) => at.slice(0, at.length - index).join())
    return [...places, ''].map((place) => found.get(place)).find(isAddressType)
  }
}

/** Formats one value. Rows with an empty label get the field's label. */
async function format(
  context: WarningContext,
  field: DescribedField,
  { one, party }: { one: DescriptionField; party: Hex | undefined },
): Promise<ApprovalRow[]> {
  const value = one.value ?? ''
  const amount = readNumber(one)
  if (amount !== undefined && amount >= 0n) {
    const number = formatNumber(context, field, amount)
    if (number !== undefined) return [{ label: '', value: number }]
    if (field.format === 'tokenAmount') return formatToken(context, amount, { field, token: party })
    if (field.format === 'nftName' && party)
      return formatOf(
        context,
        { kind: 'item', token: party, id: amount, amount: 1n },
        approvals.approve.contract,
      )
  }
  if (isAddressType(value) && (field.format === 'addressName' || one.type === 'address'))
    return [toRow(context, '', value)]
  if (field.format === 'calldata' || value.length > 200)
    return [{ label: '', data: sanitizeText(value) }]
  // The page controls strings. In quotes, a string cannot look like our own values.
  return [{ label: '', value: one.type === 'string' ? quote(value, 200) : value }]
}

/** Formats that need only the number. */
function formatNumber(
  { chain }: WarningContext,
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
  context: WarningContext,
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
  context: WarningContext,
  asset: Extract<EffectAsset, { token: Hex }>,
  label: string,
): Promise<ApprovalRow[]> {
  const tokens = await readOnChainTokens(context, [asset.token])
  return [
    { label: '', value: formatAsset(asset, { chain: context.chain, tokens }) },
    toRow(context, label, asset.token),
  ]
}

const toRow = (context: WarningContext, label: string, address: Hex): ApprovalRow => ({
  label,
  address: checksumAddress(address),
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
