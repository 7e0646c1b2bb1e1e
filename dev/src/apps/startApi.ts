import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { host } from '../ports.ts'
import { type Child, startChild } from '../processes/startChild.ts'
import { untilReady } from '../processes/untilReady.ts'
import { root } from '../root.ts'
import { buildApp } from './buildApp.ts'

const require = createRequire(import.meta.url)
const readyTimeoutMs = 120_000
const source = 'apps/server/src/main.ts'

/**
 * Starts apps/server (restarted on every change in development mode) and waits until it reports
 * that it is ready.
 */
export async function startApi(parameters: {
  mode: 'production' | 'development'
  port: number
  dataDir: string
  env: Record<string, string>
  signal?: AbortSignal | undefined
  onLine?: (line: string) => void
}): Promise<Child> {
  const { mode, port, dataDir, env, signal, onLine } = parameters
  const tsx = join(dirname(require.resolve('tsx/package.json')), 'dist/cli.mjs')
  const args = {
    production: async () => [
      join((await buildApp({ app: 'server', dataDir, signal })).dist, 'main.js'),
    ],
    development: async () => [tsx, 'watch', '--clear-screen=false', source],
  }
  const child = startChild({
    name: 'server',
    command: process.execPath,
    args: await args[mode](),
    cwd: root,
    env: { ...env, HOST: host, PORT: String(port), DATA_DIR: dataDir },
    runDir: join(dataDir, 'run'),
    logFile: join(dataDir, 'logs/server.log'),
    signal,
    ...(onLine && { onLine }),
  })
  const isReady = async () => {
    const answer = await fetch(`http://${host}:${port}/ready`).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    return answer?.status === 200
  }
  await untilReady({ child, isReady, timeoutMs: readyTimeoutMs })
  return child
}
