import { createImage, type Image } from '../media/readImages.ts'

const signs: Readonly<Record<string, string>> = {
  aud: 'A$',
  brl: 'R$',
  btc: 'B',
  cad: 'C$',
  chf: 'Fr',
  cny: '¥',
  eth: 'Ξ',
  eur: '€',
  gbp: '£',
  inr: '₹',
  jpy: '¥',
  krw: '₩',
  usd: '$',
}

/** The picture of a currency, its sign on a disc, or undefined for a code we do not know. */
export function currencyImage(code: string): Image | undefined {
  const sign = Object.hasOwn(signs, code.toLowerCase()) ? signs[code.toLowerCase()] : undefined
  if (sign === undefined) return undefined
  return createImage(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#3f6f5f"/><text x="12" y="12" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${sign.length > 1 ? 10 : 13}" fill="#fff">${sign}</text></svg>`,
    'image/svg+xml',
  )
}
