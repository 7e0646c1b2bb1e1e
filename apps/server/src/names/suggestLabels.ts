import { english } from 'viem/accounts'
import { isLabel } from './parseName.ts'

/**
 * Up to `max` suggested labels for the user's input: BIP-39 words that begin with it, and then the
 * input followed by a friendly word.
 */
export function suggestLabels(typed: string, max: number): string[] {
  const words = english.filter((word) => word.length > typed.length && word.startsWith(typed))
  const stem = typed.replace(/-+$/, '')
  // Different names start with different words, and the same name always starts with the same word.
  const start = [...typed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7)
  const behind = friendly.map((_, index) => {
    return `${stem}-${friendly[(start + index * step) % friendly.length]}`
  })
  return [...words, ...behind].filter(isLabel).slice(0, max)
}

/** A number without a common factor with the number of words, so that each word comes once. */
const step = 7

const friendly = [
  'amber aspen bay birch bloom breeze brook canyon cedar cloud comet coral cove dawn delta dune ember fern field fjord',
  'forest garden glade grove harbor hazel hill island ivy jade lagoon lake lark leaf lotus maple meadow mesa mint moon',
  'moss nova oak ocean olive orchid otter peak pearl pine prairie rain reef ridge river robin sage sky spring stone',
].flatMap((line) => line.split(' '))
