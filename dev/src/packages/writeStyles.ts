import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Manifest, publicEntries } from './manifest.ts'
import { modulesCss } from './writeModules.ts'

const require = createRequire(import.meta.url)

/** Writes each style sheet of a package with its fonts beside it; the CSS Modules stand at the end of the first. */
export function writeStyles({
  source,
  dist,
  manifest,
}: {
  source: string
  dist: string
  manifest: Manifest
}) {
  const modules = join(dist, modulesCss)
  const styles = publicEntries(manifest).filter(([, path]) => path.endsWith('.css'))
  for (const [index, [, path]] of styles.entries()) {
    const css = readFileSync(join(source, path), 'utf8').replace(
      /url\("(@[^"]+)"\)/g,
      (_, file: string) => `url("./fonts/${copyFont(file, dist)}")`,
    )
    const withModules = index === 0 ? `${css}\n${readFileSync(modules, 'utf8')}` : css
    writeFileSync(join(dist, path.replace('./src/', '')), withModules)
  }
  rmSync(modules, { force: true })
}

/** Copies a font of a package, and the licence that has to go with it. */
function copyFont(file: string, dist: string): string {
  const font = require.resolve(file)
  const fonts = join(dist, 'fonts')
  mkdirSync(fonts, { recursive: true })
  copyFileSync(font, join(fonts, basename(font)))
  const licence = join(dirname(font), '../LICENSE')
  if (!existsSync(licence)) throw new Error(`${file} has no licence beside it`)
  copyFileSync(licence, join(fonts, 'LICENSE'))
  return basename(font)
}
