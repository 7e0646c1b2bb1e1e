import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

type Machine = { platform: string; arch: string; load: () => typeof import('litesvm') }

/**
 * Loads the virtual machine of the local Solana chain. If npm has no build for this machine, throws
 * an Error with what to install.
 */
export function loadLiteSvm(machine: Machine = thisMachine): typeof import('litesvm') {
  try {
    return machine.load()
  } catch (cause) {
    throw new Error(
      `litesvm, which runs the local Solana chain, cannot be loaded. ${hint(machine)}`,
      {
        cause,
      },
    )
  }
}

function hint({ platform, arch }: Machine): string {
  if (platform === 'win32')
    return 'Run Latchkey in WSL (https://learn.microsoft.com/windows/wsl/install).'
  const libc = platform === 'linux' ? '-gnu' : ''
  return `package-lock.json holds its build for Linux on x64 with glibc alone. Install yours: npm install --no-save litesvm-${platform}-${arch}${libc}@1.5.0`
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  load: () => require('litesvm') as typeof import('litesvm'),
}
