import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Manifest, publicEntries } from './manifest.ts'
import { modulesCss } from './writeModules.ts'

const require = createRequire(import.meta.url)

/**
 * Writes each style sheet of a package with its fonts next to it. The CSS Modules are at the end of
 * the first sheet.
 */
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
    const sheet = join(source, path)
    const css = readFileSync(sheet, 'utf8').replace(
      /url\("([^"]+\.woff2)"\)/g,
      (_, file: string) => {
        const font = file.startsWith('.') ? join(dirname(sheet), file) : require.resolve(file)
        return `url("./fonts/${copyFont(font, dist)}")`
      },
    )
    const withModules = index === 0 ? `${css}\n${readFileSync(modules, 'utf8')}` : css
    writeFileSync(join(dist, path.replace('./src/', '')), withModules)
  }
  rmSync(modules, { force: true })
}

/** Copies a font with its license, which is next to the font or one folder above. */
function copyFont(font: string, dist: string): string {
  const fonts = join(dist, 'fonts')
  mkdirSync(fonts, { recursive: true })
  copyFileSync(font, join(fonts, basename(font)))
  const license = ['LICENSE', '../LICENSE']
    .map((path) => join(dirname(font), path))
    .find(existsSync)
  if (!license) throw new Error(`${font} has no license file`)
  copyFileSync(license, join(fonts, 'LICENSE'))
  return basename(font)
}
