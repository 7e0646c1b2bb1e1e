import { type DescribedField, fieldFormats } from '@latchkey/wire'
import * as z from 'zod'

// Tools write null for what a field does not have.
const node = z.object({
  path: z.string().nullish(),
  label: z.string().nullish(),
  format: z.string().nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
  fields: z.array(z.unknown()).nullish(),
  encryption: z.unknown().optional(),
})

const raw = { format: 'raw' } as const

/** Fields of nested structs with their whole path. Formats that we do not know are shown raw. */
export function flattenFields(fields: readonly unknown[], prefix: string, depth = 0): unknown[] {
  if (depth > 8) throw new Error('has fields nested too deep')
  return fields.flatMap((one) => {
    const { path, label, format: named, params, fields: inner, encryption } = node.parse(one)
    const whole = path == null ? prefix : joinPath(prefix, path)
    if (inner) return flattenFields(inner, whole, depth + 1)
    // A constant is not part of the signed data, and the value of a call already has a row in the
    // frame.
    if (path == null || !label?.trim() || !/^(#|@\.(to|from)$)/.test(whole)) return []
    // An encrypted value is a handle, not a number.
    const format = encryption == null ? readFormat(named, params ?? {}, prefix) : raw
    return [{ path: whole, label: label.trim().slice(0, 120), ...format }]
  })
}

function joinPath(prefix: string, path: string): string {
  if (/^[@#$]/.test(path)) return path
  return prefix === '' ? `#.${path}` : `${prefix}.${path}`
}

function readFormat(
  named: string | null | undefined,
  params: Readonly<Record<string, unknown>>,
  prefix: string,
): Record<string, unknown> & Pick<DescribedField, 'format'> {
  const format = fieldFormats.find((one) => one === named)
  if (format === undefined) return raw
  // A token of another network may have different decimals than the token at its address here.
  if (params.chainId != null || params.chainIdPath != null) return raw
  const text = (name: string) => {
    const value = params[name]
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  // A constant of the file in place of a path is the address itself.
  const party = (pathName: string, name: string) => {
    const path = text(pathName)
    return path === undefined || /^0x/.test(path)
      ? { [name]: path ?? text(name) }
      : { [pathName]: joinPath(prefix, path) }
  }
  const { nativeCurrencyAddress: native } = params
  const given: Record<string, unknown> = {
    ...party('tokenPath', 'token'),
    ...party('collectionPath', 'collection'),
    native: native == null ? undefined : [native].flat(),
    encoding: text('encoding'),
    base: text('base'),
    decimals: readDecimals(params.decimals),
    // A reference to an enum of the file has been replaced by the enum's labels.
    values: format === 'enum' ? params : undefined,
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { format, ...Object.fromEntries(known) }
}

/** Some files write a number as its digits. */
const readDecimals = (value: unknown) =>
  typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : (value ?? undefined)
