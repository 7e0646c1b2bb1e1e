import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Addresses and keys of anvil's own accounts are public: nothing of worth may ever lie there. */
export type Anvil = { url: string; stop: () => Promise<void> }

/** Starts a chain on a free port; mines each transaction at once and keeps nothing on disk. */
export async function startAnvil(chainId: number): Promise<Anvil> {
  const child = spawn(
    binary(),
    ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId), '--prune-history'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await listening(child)
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGINT')
      }),
  }
}

function binary() {
  const { ANVIL_BIN } = process.env
  if (ANVIL_BIN && existsSync(ANVIL_BIN)) return ANVIL_BIN
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const dev = new URL('../../../dev/package.json', import.meta.url)
  return createRequire(dev).resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${output}`)))
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const match = /Listening on (127\.0\.0\.1:\d+)/.exec(output)
      if (match) resolve(`http://${match[1]}`)
    })
  })
}

/** A plain request to a chain, for a test's own preparations and checks. */
export async function rpc(url: string, method: string, params: readonly unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: object }
  if (error) throw Object.assign(new Error('rpc'), error)
  return result
}
