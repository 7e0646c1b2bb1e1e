import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { root } from './root.ts'

// Creates the fonts of modal and frame from the npm package: only the weights that our styles use,
// in the letters of each file's `unicode-range`. Most strings need the first file alone. Run it
// after an update of the font.

const require = createRequire(import.meta.url)

/** The files, and the `unicode-range` of each in both themes. */
const files = {
  'inter-ascii': '0020-007E 00A0 00B7 2013-2014 2018-2019 201C-201D 2026 2212',
  'inter-latin':
    '0000-001F 007F-009F 00A1-00B6 00B8-00FF 0131 0152-0153 02BB-02BC 02C6 02DA 02DC 0304 0308 0329 2000-2012 2015-2017 201A-201B 201E-2025 2027-206F 20AC 2122 2191 2193 2215 FEFF FFFD',
}

const readLetters = (ranges: string) =>
  ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
  })

const source = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
for (const [name, ranges] of Object.entries(files)) {
  const font = await subsetFont(readFileSync(source), readLetters(ranges).join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
  })
  for (const workspace of ['packages/react', 'apps/frame']) {
    const fonts = join(root, workspace, 'src/fonts')
    mkdirSync(fonts, { recursive: true })
    writeFileSync(join(fonts, `${name}.woff2`), font)
    copyFileSync(require.resolve('@fontsource-variable/inter/LICENSE'), join(fonts, 'LICENSE'))
  }
}
