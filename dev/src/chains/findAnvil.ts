import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The oldest glibc that the build of anvil from npm runs on. */
const oldestGlibc = [2, 35] as const

/** The facts that decide which anvil runs. This machine, unless a test passes another. */
export type Machine = {
  platform: string
  arch: string
  /** For example `2.36`; undefined for another C library. */
  glibc: string | undefined
  env: Record<string, string | undefined>
  /** Path of a file of an installed npm package; undefined if it does not exist. */
  resolve: (file: string) => string | undefined
}

/**
 * The path of anvil: `ANVIL_BIN`, the npm package of this platform, or the PATH. Throws an Error
 * with what to install.
 */
export function findAnvil(machine: Machine = thisMachine()): string {
  const named = machine.env.ANVIL_BIN
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`ANVIL_BIN=${named} is not a program that can be run`)
  }
  const { problem, path } = fromPackage(machine)
  const inPath = (machine.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'anvil'))
  const found = [path, ...inPath].find((each) => each !== undefined && isExecutable(each))
  if (found) return found
  throw new Error(
    `anvil, the program that runs the local chains, is missing: ${problem}. ${installHint(machine)}`,
  )
}

function fromPackage({ platform, arch, glibc, resolve }: Machine) {
  const missing = `npm has no build of it for ${platform} ${arch} in package-lock.json`
  if (platform === 'linux' && !isRecent(glibc)) {
    const own = glibc ? `glibc ${glibc}` : 'another C library'
    return {
      problem: `the build from npm needs glibc ${oldestGlibc.join('.')} or newer, and this machine has ${own}`,
    }
  }
  const cpu = arch === 'x64' ? 'amd64' : arch
  return {
    problem: missing,
    path: resolve(`@foundry-rs/anvil-${platform}-${cpu}/bin/anvil`),
  }
}

function isRecent(glibc: string | undefined): boolean {
  const [major = 0, minor = 0] = (glibc ?? '').split('.').map(Number)
  return major > oldestGlibc[0] || (major === oldestGlibc[0] && minor >= oldestGlibc[1])
}

function installHint({ platform, glibc }: Machine): string {
  const use = 'Then start again; anvil is found in the PATH, or where ANVIL_BIN says.'
  if (platform === 'win32')
    return 'Run Latchkey in WSL (https://learn.microsoft.com/windows/wsl/install), where npm has a build of anvil.'
  if (platform === 'linux' && !isRecent(glibc))
    return `Build it with Rust (https://rustup.rs): cargo install --git https://github.com/foundry-rs/foundry --locked anvil. ${use}`
  return `Install Foundry: curl -L https://foundry.paradigm.xyz | bash, then foundryup. ${use}`
}

const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  glibc: runningGlibc(),
  env: process.env,
  resolve: (file) => {
    try {
      return require.resolve(file)
    } catch {
      return undefined
    }
  },
})

function runningGlibc(): string | undefined {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report?.header?.glibcVersionRuntime
}

function isExecutable(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
