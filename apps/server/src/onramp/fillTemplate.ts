import { createHmac } from 'node:crypto'

/**
 * The values for a checkout's URL. `asset` is a contract, a mint, or `native`; an amount that was
 * not chosen is empty.
 */
export type TemplateValues = {
  readonly orderId: string
  readonly address: string
  readonly chainId: string
  readonly asset: string
  readonly symbol: string
  readonly currency: string
  readonly amount: string
  readonly method: string
}

/**
 * The URL of a checkout, with each value escaped. `{signature}` becomes the HMAC-SHA256 (base64url)
 * of everything before it, so that a checkout can detect if anyone changed the values that the
 * visitor saw. Returns `unknown` for a name that has no value.
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  secret: string | Uint8Array,
): { readonly url: string } | { readonly unknown: string } {
  const names = [...template.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name)
  const known = new Set([...Object.keys(values), 'signature'])
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) return { unknown }
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name === 'signature' ? whole : encodeURIComponent(values[name as keyof TemplateValues]),
  )
  const at = filled.indexOf('{signature}')
  if (at === -1) return { url: filled }
  const signature = createHmac('sha256', secret).update(filled.slice(0, at)).digest('base64url')
  return { url: filled.replace('{signature}', signature) }
}
