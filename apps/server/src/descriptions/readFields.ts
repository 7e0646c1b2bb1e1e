import { type DescribedField, fieldFormats } from '@latchkey/wire'
import * as z from 'zod'

const node = z.object({
  path: z.string().optional(),
  label: z.string().optional(),
  format: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  fields: z.array(z.unknown()).optional(),
})

/** Fields of nested structs with their whole path. Formats that we do not know are shown raw. */
export function flattenFields(fields: readonly unknown[], prefix: string, depth = 0): unknown[] {
  if (depth > 8) throw new Error('has fields nested too deep')
  return fields.flatMap((one) => {
    const { path, label, format: named, params, fields: inner } = node.parse(one)
    const whole = path === undefined ? prefix : joinPath(prefix, path)
    if (inner) return flattenFields(inner, whole, depth + 1)
    // A constant is not part of what is signed, and the value of a call has a row of ours.
    if (path === undefined || !label?.trim() || !/^(#|@\.(to|from)$)/.test(whole)) return []
    return [
      { path: whole, label: label.trim().slice(0, 120), ...readFormat(named, params, prefix) },
    ]
  })
}

function joinPath(prefix: string, path: string): string {
  if (/^[@#$]/.test(path)) return path
  return prefix === '' ? `#.${path}` : `${prefix}.${path}`
}

function readFormat(
  named: string | undefined,
  params: Readonly<Record<string, unknown>>,
  prefix: string,
): Record<string, unknown> & Pick<DescribedField, 'format'> {
  const format = fieldFormats.find((one) => one === named)
  if (format === undefined || format === 'raw') return { format: 'raw' }
  const text = (name: string) => (typeof params[name] === 'string' ? params[name] : undefined)
  const pathOf = (name: string) => {
    const path = text(name)
    return path === undefined ? undefined : joinPath(prefix, path)
  }
  const asList =
    params.nativeCurrencyAddress === undefined ? undefined : [params.nativeCurrencyAddress].flat()
  const given: Record<string, unknown> = {
    tokenPath: pathOf('tokenPath'),
    token: text('token'),
    collectionPath: pathOf('collectionPath'),
    collection: text('collection'),
    native: asList,
    encoding: text('encoding'),
    base: text('base'),
    decimals: params.decimals,
    // A reference to an enum of the file has been replaced by its texts.
    values: format === 'enum' ? params : undefined,
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { format, ...Object.fromEntries(known) }
}
