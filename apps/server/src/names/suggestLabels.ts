import { english } from 'viem/accounts'
import { isLabel } from './parseName.ts'

/**
 * Up to `max` labels to suggest for what somebody types: words that begin with it, and then the same with a word behind it.
 * The words are those of BIP-39.
 */
export function suggestLabels(typed: string, max: number): string[] {
  const words = english.filter((word) => word.length > typed.length && word.startsWith(typed))
  const start = [...typed].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % wordCount
  const behind = Array.from({ length: max }, (_, index) => {
    const word = english[(start + index * step) % wordCount]
    return `${typed.replace(/-+$/, '')}-${word}`
  })
  return [...words, ...behind].filter(isLabel).slice(0, max)
}

const wordCount = english.length
/** Far enough apart that suggestions do not begin with the same letter. */
const step = 389
