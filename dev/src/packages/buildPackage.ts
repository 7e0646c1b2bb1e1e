import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import type { FileNames } from './groupModules.ts'
import { builtManifest, type Manifest } from './manifest.ts'
import { writeModules } from './writeModules.ts'
import { writeStyles } from './writeStyles.ts'

/**
 * Builds a package of `packages/` into `folder`, ready to be packed except for its declarations.
 * The version comes from the repository's package.json. Throws with Vite's output.
 */
export async function buildPackage({
  name,
  folder,
  fileNames,
}: {
  name: string
  folder: string
  fileNames: FileNames
}) {
  const source = join(root, 'packages', name)
  const dist = join(folder, 'dist')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const manifest: Manifest = readJson(join(source, 'package.json'))
  await writeModules({ source, dist, manifest, fileNames })
  writeStyles({ source, dist, manifest })
  const built = builtManifest(manifest, readJson(join(root, 'package.json')))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(built, null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const readme = join(source, 'README.md')
  if (existsSync(readme)) copyFileSync(readme, join(folder, 'README.md'))
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
