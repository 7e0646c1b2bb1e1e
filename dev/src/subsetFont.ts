import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { root } from './root.ts'

// Creates the font of modal and frame from the npm package: only the weights that our styles use,
// in the Latin letters of its `unicode-range`. The result is a third smaller. Run it after an
// update of the font.

const require = createRequire(import.meta.url)

/** The `unicode-range` of both themes. */
const ranges =
  '0000-00FF 0131 0152-0153 02BB-02BC 02C6 02DA 02DC 0304 0308 0329 2000-206F 20AC 2122 2191 2193 2212 2215 FEFF FFFD'

const letters = ranges.split(' ').flatMap((range) => {
  const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16))
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
})

const source = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const font = await subsetFont(readFileSync(source), letters.join(''), {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
})
for (const workspace of ['packages/react', 'apps/frame']) {
  const fonts = join(root, workspace, 'src/fonts')
  mkdirSync(fonts, { recursive: true })
  writeFileSync(join(fonts, 'inter-latin.woff2'), font)
  copyFileSync(require.resolve('@fontsource-variable/inter/LICENSE'), join(fonts, 'LICENSE'))
}
