import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One SVG of @web3icons/core (MIT), on its colored background if available; undefined if the
 * package has no such icon.
 */
export function readWeb3Icon(
  folder: string,
  kind: 'networks' | 'tokens' | 'wallets',
  name: string,
): string | undefined {
  for (const variant of ['background', 'branded']) {
    const file = join(folder, 'dist/svgs', kind, variant, `${name}.svg.js`)
    if (!existsSync(file)) continue
    const svg = /<svg[\s\S]*<\/svg>/.exec(readFileSync(file, 'utf8'))?.[0]
    if (svg) return cleanSvg(svg.replaceAll('\\n', ' ').replace(/\\(.)/g, '$1'))
  }
  return undefined
}

/** A picture without anything that can run or load. Throws if any of that is left. */
function cleanSvg(svg: string): string {
  const cleaned = svg
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\sclass="[^"]*"/g, '')
    .replace(/>\s+</g, '><')
    .trim()
  const bad =
    /<(?:script|foreignObject|iframe|image|style|a|animate|set)\b|\son\w+\s*=|javascript:|<!|&\w+;|href\s*=\s*["'](?!#)|url\(\s*["']?(?!#)/i
  const found = bad.exec(cleaned)?.[0]
  if (found !== undefined) throw new Error(`An SVG contains ${found}`)
  return cleaned
}
