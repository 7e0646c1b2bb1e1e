import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { westend } from './chains/polkadot/westend.ts'
import { solanaChain } from './chains/solana/definition.ts'
import { endOrphans } from './processes/orphans.ts'
import { root } from './root.ts'
import { type Stack, startStack } from './stack.ts'
import type { Part } from './startPart.ts'

// npm forwards a Ctrl-C that the terminal has already sent to this process.
const sameSignalMs = 500

/**
 * `npm start` and `npm run dev`: starts the stack, lists its addresses, and stops it on Ctrl-C.
 * Sets the exit code.
 */
export async function launch(parameters: {
  mode: 'production' | 'development'
  args: string[]
  parts?: Part[]
}): Promise<void> {
  const { mode, args } = parameters
  const startedAtMs = Date.now()
  const dataDir = resolve(root, process.env.LATCHKEY_DATA || '.latchkey')
  const unknown = args.find((arg) => arg !== '--fresh')
  if (unknown) return giveUp(new Error(`${unknown} is not an option: there is only --fresh`))
  const abort = new AbortController()
  const state: { stack?: Stack } = {}
  const stopSignal = onStopSignal({
    // Once everything runs, the stack stops its parts in order.
    first: () => {
      if (!state.stack) abort.abort()
    },
    second: () => {
      state.stack?.kill()
      process.exit(1)
    },
  })
  try {
    if (args.includes('--fresh')) await wipe(dataDir)
    console.log(`Latchkey\n`)
    const log = (line: string) => console.log(`  ${line}`)
    const signal = abort.signal
    const { parts } = parameters
    const stack = await startStack({
      mode,
      ports: 'default',
      dataDir,
      past: true,
      log,
      signal,
      env: {
        WEB_NETWORKS: process.env.WEB_NETWORKS ?? westend.id,
        ANALYTICS: process.env.ANALYTICS ?? 'log',
      },
      ...(parts && { parts }),
    })
    state.stack = stack
    console.log(`\n${listAddresses(stack, dataDir)}\n`)
    console.log(`Ready in ${seconds(startedAtMs)} s. Ctrl-C stops everything.`)
    const death = await Promise.race([stopSignal, stack.died])
    if (death) {
      const { name, code, signal, tail } = death
      console.error(`\n${name} ended by itself (${signal ?? `exit code ${code}`}):\n${tail}\n`)
      process.exitCode = 1
    }
    const stoppingAtMs = Date.now()
    console.log('\nStopping …')
    await stack.stop()
    console.log(`Stopped in ${seconds(stoppingAtMs)} s`)
    process.exit()
  } catch (error) {
    if (!abort.signal.aborted) return giveUp(error)
    console.log('Stopped')
    process.exit()
  }
}

/** Resolves at the first Ctrl-C, SIGTERM or closed terminal. */
function onStopSignal({ first, second }: { first: () => void; second: () => void }) {
  return new Promise<undefined>((resolve) => {
    let firstAtMs: number | undefined
    const onSignal = () => {
      if (firstAtMs !== undefined) {
        if (Date.now() - firstAtMs > sameSignalMs) second()
        return
      }
      firstAtMs = Date.now()
      first()
      resolve(undefined)
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  })
}

async function wipe(dataDir: string) {
  await endOrphans(join(dataDir, 'run'))
  rmSync(dataDir, { recursive: true, force: true })
  // The server's database folder if root's database user cannot access the data folder.
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  rmSync(join('/var/lib/latchkey', name), { recursive: true, force: true })
}

function listAddresses({ urls, parts }: Stack, dataDir: string) {
  const rows = [
    ['Web app', urls.web],
    ['Mail inbox', urls.inbox],
    ['Identity provider', urls.identity],
    ['Development wallet', urls.wallet],
    ['Latchkey One (31337)', urls.rpc['eip155:31337']],
    ['Latchkey Two (31338)', urls.rpc['eip155:31338']],
    ['Latchkey Bitcoin', urls.bitcoin],
    ...(parts.includes('solana') ? [['Latchkey Solana', urls.rpc[solanaChain.id]]] : []),
    ['Data', relative(root, dataDir).startsWith('..') ? dataDir : relative(root, dataDir)],
  ]
  return rows.map(([what = '', where]) => `  ${what.padEnd(22)} ${where}`).join('\n')
}

const seconds = (sinceMs: number) => ((Date.now() - sinceMs) / 1000).toFixed(1)

function giveUp(error: unknown) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
