import { bytesToHex, sanitizeText } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fill } from '../../../locales/en.ts'
import { signatures as t } from '../../../locales/signatures.en.ts'
import { fromHex, utf8 } from '../../../wallet/crypto/bytes.ts'
import type { SignedData, SignedValue } from './checkTypedData.ts'

/** A line of nested data. */
type Line = { depth: number; label: string; value: string }
type LinePosition = { readonly label: string; readonly type: string; readonly depth: number }

/** Longer values are shown in parts, after their length and their hash. */
const maxPart = 1_000

/** The domain and the message line by line: every signed value, and nothing else. */
export const formatSignedData = ({ types, primaryType, domain, message }: SignedData): Line[] => [
  ...formatValue(domain, { label: 'domain', type: 'EIP712Domain', depth: 0 }, types),
  ...(primaryType === 'EIP712Domain'
    ? []
    : formatValue(message, { label: primaryType, type: primaryType, depth: 0 }, types)),
]

function formatValue(value: SignedValue, place: LinePosition, types: SignedData['types']): Line[] {
  const { type, depth, ...line } = place
  const deeper = depth + 1
  if (Array.isArray(value)) {
    const inner = type.replace(/\[\d*\]$/, '')
    return [
      { ...line, depth, value: value.length === 0 ? '[]' : '' },
      ...value.flatMap((one, at) =>
        formatValue(one, { label: String(at + 1), type: inner, depth: deeper }, types),
      ),
    ]
  }
  if (typeof value === 'number') return formatAtom(fill(t.number, { number: value }), place)
  if (typeof value !== 'object') return formatAtom(String(value), place)
  return [
    { ...line, depth, value: '' },
    ...(types[type] ?? []).flatMap(({ name, type: kind }) =>
      formatValue(value[name] ?? '', { label: name, type: kind, depth: deeper }, types),
    ),
  ]
}

function formatAtom(value: string, { label, type, depth }: LinePosition): Line[] {
  if (value.length <= maxPart) return [{ depth, label, value: sanitizeText(value) }]
  const bytes = type === 'bytes' ? fromHex(value) : utf8(value)
  const parts = sanitizeText(value).match(new RegExp(`[^]{1,${maxPart}}`, 'gu')) ?? []
  const whole = { count: bytes.length, hash: `0x${bytesToHex(keccak_256(bytes))}` }
  return [
    { depth, label, value: fill(t.long, whole) },
    ...parts.map((part, at) => ({
      depth: depth + 1,
      label: fill(t.part, { at: at + 1, of: parts.length }),
      value: part,
    })),
  ]
}
