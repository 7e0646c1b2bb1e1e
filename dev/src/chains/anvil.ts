import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { host } from '../ports.ts'
import { type Child, startChild } from '../processes/startChild.ts'
import { untilReady } from '../processes/untilReady.ts'
import { mnemonic } from './accounts.ts'
import { findAnvil } from './findAnvil.ts'
import { callRpc } from './rpc.ts'
import { keepState, repairState } from './stateFile.ts'

const readyTimeoutMs = 120_000

/** A running anvil: its process and its address. `isNew`: no earlier start left its state. */
export type Anvil = { child: Child; url: string; isNew: boolean; stop(): Promise<void> }

/**
 * Starts one chain and waits until it responds. A block per transaction; the state goes to
 * `dataDir` every 2 s, so a kill -9 loses no more than that, unless it is `temporary`. Throws with
 * anvil's output if it does not start.
 */
export async function startAnvil(parameters: {
  chainId: number
  port: number
  dataDir: string
  temporary: boolean
  /** Whether the chain is of the OP stack. */
  isRollup: boolean
  /** A state file to start from, if the chain is `temporary`. */
  loadFrom?: string | undefined
  /** The time of a new chain's first block, from which its clock runs. Default: now. */
  bornMs?: number | undefined
  signal?: AbortSignal | undefined
}): Promise<Anvil> {
  const { chainId, port, dataDir, temporary, isRollup, loadFrom, bornMs } = parameters
  const stateFile = join(dataDir, 'chains', `${chainId}.json`)
  mkdirSync(join(dataDir, 'chains'), { recursive: true })
  repairState(stateFile)
  const isNew = !existsSync(stateFile)
  const child = startChild({
    name: `chain-${chainId}`,
    command: findAnvil(),
    args: [
      ...['--host', host, '--port', String(port), '--chain-id', String(chainId)],
      ...['--mnemonic', mnemonic],
      ...(isRollup ? ['--network', 'optimism'] : []),
      ...(temporary ? [] : ['--state', stateFile, '--state-interval', '2']),
      ...(temporary && loadFrom ? ['--load-state', loadFrom] : []),
      ...(isNew && bornMs ? ['--timestamp', String(Math.floor(bornMs / 1000))] : []),
      // Without this option every block leaves a file in the home folder forever. Like other nodes,
      // anvil then keeps only the last states. It reads the number of the latest block first, and
      // refuses a call if the state is gone because of another block.
      ...['--prune-history', '16', '--quiet'],
      // Networks refuse transactions above 16,777,216 gas (EIP-7825).
      '--enable-tx-gas-limit',
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
  return { child, url, isNew, stop }
}

async function answersAs(url: string, chainId: number) {
  const id = await callRpc(url, 'eth_chainId', []).catch(() => undefined)
  if (id === undefined) return false
  if (Number(id) === chainId) return true
  throw new Error(`At ${url} answers chain ${Number(id)}, not ours (${chainId})`)
}
