import { english } from 'viem/accounts'
import { isLabel } from './parseName.ts'

/**
 * Up to `max` labels to suggest for what somebody types: words of BIP-39 that begin with it, and
 * then the same with a friendly word behind it.
 */
export function suggestLabels(typed: string, max: number): string[] {
  const words = english.filter((word) => word.length > typed.length && word.startsWith(typed))
  const stem = typed.replace(/-+$/, '')
  // Each name begins with another word, and the same name always with the same.
  const start = [...typed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7)
  const behind = friendly.map((_, index) => {
    return `${stem}-${friendly[(start + index * step) % friendly.length]}`
  })
  return [...words, ...behind].filter(isLabel).slice(0, max)
}

/** It has no factor in common with the number of words, so that each comes once. */
const step = 7

const friendly = [
  'amber aspen bay birch bloom breeze brook canyon cedar cloud comet coral cove dawn delta dune ember fern field fjord',
  'forest garden glade grove harbor hazel hill island ivy jade lagoon lake lark leaf lotus maple meadow mesa mint moon',
  'moss nova oak ocean olive orchid otter peak pearl pine prairie rain reef ridge river robin sage sky spring stone',
].flatMap((line) => line.split(' '))
