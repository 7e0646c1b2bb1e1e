import { normalize } from 'viem/ens'
import { stringToBytes } from 'viem/utils'

const maxBytes = 255
const maxLabels = 16

/**
 * A name normalized by ENSIP-15, or undefined if it is not valid: invisible characters, confusable
 * scripts, no dot, too long.
 */
export function normalizeName(text: string): string | undefined {
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
