import { type DescribedParameter, type SignedDescription, sanitizeText } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalRow, ApprovalView } from '../../approval/approvalView.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { descriptions as t } from '../../locales/descriptions.en.ts'
import type { Effect } from '../effect.ts'
import { decodeAbi } from '../evm/codec/decodeAbi.ts'
import { hashText, toSelector } from '../evm/codec/toSelector.ts'
import type { SignedData } from '../evm/typedData/checkTypedData.ts'
import type { WarningContext } from '../getWarnings.ts'
import { sanitizeName } from '../sanitizeName.ts'
import { caution, danger } from '../warning.ts'
import type { CallWords } from './fetchDescription.ts'
import { type DescriptionField, fromParameters, fromTypedData } from './field.ts'
import { formatField, type Parties, quote } from './formatField.ts'

type UnreadCall = Extract<Effect, { kind: 'call' }>
const maxRows = 60
const maxLines = 400

/**
 * Names for calls that we cannot decode, if the operator's descriptor files fit the signed bytes
 * exactly.
 */
export async function describeUnread(
  context: WarningContext,
  effects: readonly Effect[],
): Promise<ReadonlyMap<Effect, CallWords>> {
  const unread = effects.filter(
    (one): one is UnreadCall => one.kind === 'call' && one.name === undefined,
  )
  const described = await Promise.all(
    unread.map(async (one) => [one, await describeCall(context, one)] as const),
  )
  return new Map(described.flatMap(([one, words]) => (words ? [[one, words] as const] : [])))
}

async function describeCall(
  context: WarningContext,
  { contract, data }: UnreadCall,
): Promise<CallWords | undefined> {
  if (data.length < 10) return undefined
  const key = data.slice(0, 10).toLowerCase()
  const found = await context.fetchDescription(context.chain, { address: contract, key })
  const root = found && decode(found, data)
  if (!root) return undefined
  const parties = { from: context.account, to: contract }
  return {
    rows: [
      { label: approvals.approve.function, value: sanitizeName(found.name ?? '', 60) },
      ...(await formatWords(context, found, { root, parties })),
      ...formatAll(t.parameters, root),
    ],
    warning: getWarning(found, root),
  }
}

/**
 * The warning of a described call. No descriptor covers the content of a `bytes` value, which can
 * be another call.
 */
function getWarning({ source }: SignedDescription, root: DescriptionField) {
  if (source !== 'descriptor') return danger(t.namedCall)
  return hasBytes(root) ? danger(t.describedBytes) : caution(t.describedCall)
}

const hasBytes = ({ type, value, fields = [] }: DescriptionField): boolean =>
  (type === 'bytes' && value !== '0x') || fields.some(hasBytes)

/**
 * Decodes the parameters. Undefined if the description is of another function, or if the data
 * contains anything else.
 */
function decode({ name, inputs }: SignedDescription, data: Hex): DescriptionField | undefined {
  if (name === undefined || inputs === undefined) return undefined
  const selector = toSelector(`${name}${formatTypes(inputs)}`)
  if (selector !== data.slice(0, 10).toLowerCase()) return undefined
  const values = decodeAbi(inputs, `0x${data.slice(10)}`)
  return values && fromParameters(inputs, values)
}

/** Types as in a function signature: a struct becomes the list of its members. */
const formatTypes = (inputs: readonly DescribedParameter[]): string =>
  `(${inputs
    .map(({ type, components = [] }) => type.replace(/^tuple/, () => formatTypes(components)))
    .join()})`

/** A group of names for typed data that we cannot decode. All signed data is shown as well. */
export async function describeUnreadTypedData(
  context: WarningContext,
  data: SignedData,
): Promise<ApprovalView['groups']> {
  const { domain, encoded, contract: address, chainId } = data
  if (address === undefined || chainId !== context.chain.reference) return []
  const key = hashText(encoded)
  const found = await context.fetchDescription(context.chain, { address, key })
  if (!found || found.encodedType !== encoded || !isBoundTo(found, domain)) return []
  const parties = { from: context.account, to: address }
  const rows = await formatWords(context, found, { root: fromTypedData(data), parties })
  return rows.length > 0 ? [{ label: t.describedData, rows }] : []
}

/** Whether the domain matches the domain that the description is bound to. */
const isBoundTo = ({ domain: bound = {} }: SignedDescription, domain: SignedData['domain']) =>
  Object.entries(bound).every(([name, value]) => domain[name] === value)

/** The rows with the intent, the owner and the named fields. */
async function formatWords(
  context: WarningContext,
  { source, owner, intent, fields }: SignedDescription,
  { root, parties }: { root: DescriptionField; parties: Parties },
): Promise<ApprovalRow[]> {
  const named = await Promise.all(
    fields.map((field) => formatField(context, { field, root, parties })),
  )
  const rows = named.flat()
  return [
    ...(source === 'descriptor' && intent ? [{ label: t.intent, value: quote(intent) }] : []),
    ...(source === 'descriptor' && owner ? [{ label: t.owner, value: quote(owner) }] : []),
    ...rows.slice(0, maxRows),
    ...(rows.length > maxRows ? [{ label: t.rest, value: t.restInData }] : []),
  ]
}

/**
 * Lists every signed field, named by a description or not. The raw data below contains all of them
 * too.
 */
function formatAll(label: string, root: DescriptionField): ApprovalRow[] {
  const lines = (root.fields ?? []).flatMap((one) => formatLines(one, 0))
  return lines.length === 0 || lines.length > maxLines ? [] : [{ label, tree: lines }]
}

/** Escapes line breaks and tabs, so that a string of the page cannot add lines. */
const writeLine = (text: string) =>
  sanitizeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

function formatLines(field: DescriptionField, depth: number): NonNullable<ApprovalRow['tree']> {
  const { name, type, value, fields } = field
  const label = sanitizeName(name === '' ? type : name, 60)
  return [
    { depth, label, value: writeLine(value ?? (fields?.length === 0 ? '[]' : '')) },
    ...(fields ?? []).flatMap((one) => formatLines(one, depth + 1)),
  ]
}
