import { spawnSync } from 'node:child_process'

/** Installs a Debian package as root; false where that cannot be done. */
export function installDebian(name: string): boolean {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0) return false
  console.log(`Installing Debian's package ${name}…`)
  const run = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', name)
}
