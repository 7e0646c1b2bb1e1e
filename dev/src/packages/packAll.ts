import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { buildPackage } from './buildPackage.ts'
import { groupModules } from './groupModules.ts'
import { lintTarball } from './lintTarball.ts'
import { writeTypes } from './writeTypes.ts'

/** The packages that an app installs, each after those it needs. */
const names = ['wire', 'walletconnect', 'core', 'react'] as const

/**
 * Builds, packs and checks all packages in `folder`. Returns the paths of the tarballs. Throws with
 * what Vite, TypeScript, publint or Are The Types Wrong reported.
 */
export async function packAll(folder = join(root, 'dist/packages')): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const fileNames = await groupModules()
  await Promise.all(
    names.map((name) => buildPackage({ name, folder: join(folder, name), fileNames })),
  )
  await writeTypes({ names, folder })
  const folders = names.map((name) => join(folder, name))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...folders]
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', cwd: folder })
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`)
  const packed: { filename: string }[] = JSON.parse(stdout)
  const tarballs = packed.map(({ filename }) => join(folder, filename))
  const complaints: string[] = []
  for (const path of tarballs)
    complaints.push(...(await lintTarball(path)).map((text) => `${path}: ${text}`))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return tarballs
}
