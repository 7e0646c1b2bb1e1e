import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { host } from '../ports.ts'
import { type Child, startChild } from '../processes/startChild.ts'
import { untilReady } from '../processes/untilReady.ts'
import { mnemonic } from './accounts.ts'
import { callRpc } from './rpc.ts'
import { keepState, repairState } from './stateFile.ts'

const require = createRequire(import.meta.url)
const readyTimeoutMs = 120_000

/** A running anvil: its process and where it answers. */
export type Anvil = { child: Child; url: string; stop(): Promise<void> }

/**
 * Starts one chain and waits until it answers. A block per transaction; the state goes to `dataDir` every 2 s, so a
 * kill -9 loses no more than that, unless it is `temporary`. Throws with what anvil wrote when it does not come up.
 */
export async function startAnvil(parameters: {
  chainId: number
  port: number
  dataDir: string
  temporary: boolean
  signal?: AbortSignal | undefined
}): Promise<Anvil> {
  const { chainId, port, dataDir, temporary } = parameters
  const stateFile = join(dataDir, 'chains', `${chainId}.json`)
  mkdirSync(join(dataDir, 'chains'), { recursive: true })
  repairState(stateFile)
  const child = startChild({
    name: `chain-${chainId}`,
    command: findAnvil(),
    args: [
      ...['--host', host, '--port', String(port), '--chain-id', String(chainId)],
      ...['--mnemonic', mnemonic],
      ...(temporary ? [] : ['--state', stateFile, '--state-interval', '2']),
      // Without it every block leaves a file in the home folder for good.
      ...['--prune-history', '--quiet'],
    ],
    cwd: dataDir,
    runDir: join(dataDir, 'run'),
    logFile: join(dataDir, 'logs', `chain-${chainId}.log`),
    signal: parameters.signal,
  })
  const url = `http://${host}:${port}`
  await untilReady({ child, isReady: () => answersAs(url, chainId), timeoutMs: readyTimeoutMs })
  const endKeeping = temporary ? () => {} : keepState(stateFile)
  const stop = async () => {
    endKeeping()
    await child.stop()
  }
  child.exited.then(endKeeping)
  return { child, url, stop }
}

async function answersAs(url: string, chainId: number) {
  const id = await callRpc(url, 'eth_chainId', []).catch(() => undefined)
  if (id === undefined) return false
  if (Number(id) === chainId) return true
  throw new Error(`At ${url} answers chain ${Number(id)}, not ours (${chainId})`)
}

/** The path of anvil: `ANVIL_BIN`, the npm package of this platform, or the PATH. Throws with what to do. */
function findAnvil(): string {
  const named = process.env.ANVIL_BIN
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`ANVIL_BIN=${named} is not a program that can be run`)
  }
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'anvil'))
  const found = [fromPackage(), ...inPath].find((path) => path !== undefined && isExecutable(path))
  if (found) return found
  throw new Error(
    `anvil, the program that runs the local chains, is missing: npm has installed no build of it for ${process.platform} ${process.arch}. ` +
      'Install Foundry (https://getfoundry.sh) so that `anvil` is in the PATH, or set ANVIL_BIN to the program.',
  )
}

function fromPackage() {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/bin/anvil`)
  } catch {
    return undefined
  }
}

function isExecutable(path: string) {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
