import { normalize } from 'viem/ens'
import { stringToBytes } from 'viem/utils'

const maxBytes = 255
const maxLabels = 16

/**
 * A name as ENSIP-15 writes it, undefined where it is none: characters that are not seen, scripts mixed to deceive, no
 * dot, too long.
 */
export function normaliseName(text: string): string | undefined {
  if (text.length > maxBytes) return undefined
  try {
    const name = normalize(text)
    const labels = name.split('.')
    if (labels.length < 2 || labels.length > maxLabels || labels.includes('')) return undefined
    return stringToBytes(name).length <= maxBytes ? name : undefined
  } catch {
    return undefined
  }
}
