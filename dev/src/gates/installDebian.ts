import { spawnSync } from 'node:child_process'

/** Installs Debian packages as root. Returns false if that is not possible. */
export function installDebian(...names: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0) return false
  console.log(`Installing from Debian: ${names.join(', ')}…`)
  const run = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', ...names)
}
