import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Part, startStack, westend } from '@latchkey/dev'
import { startProxy } from './browsers/startProxy.ts'
import { metricsToken } from './metricsToken.ts'

/**
 * Each Playwright project has a separate stack with chains, accounts, server and inbox, so that
 * projects can run at the same time. A stack starts when the project's first test requests it at
 * `LATCHKEY_STACKS`, and runs until the end of the run.
 */
export default async function startStacks() {
  // Each process of a stack is ended when this one exits.
  process.setMaxListeners(50)
  const stacks = new Map<string, ReturnType<typeof start>>()
  const listener = createServer(async ({ url = '/' }, response) => {
    const project = url.slice(1)
    try {
      const starting = stacks.get(project) ?? start(project)
      stacks.set(project, starting)
      const { stack, proxyPort } = await starting
      response.end(JSON.stringify({ urls: stack.urls, addresses: stack.addresses, proxyPort }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  process.env.LATCHKEY_STACKS = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  return async () => {
    listener.close()
    const started = await Promise.allSettled(stacks.values())
    await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()))
  }
}

const evmParts: Part[] = ['chains', 'inbox', 'media', 'server', 'frame', 'web', 'wallet']
const partsByProject: Record<string, Part[]> = {
  pages: [...evmParts, 'checkout'],
  money: [...evmParts, 'checkout'],
  solana: [...evmParts, 'solana', 'bitcoin', 'checkout'],
  embedded: [...evmParts, 'identity', 'faucet'],
}

/** Kusama and Solana Devnet: networks to switch to for which the server has no node. */
const unserved = [
  'polkadot:b0a8d493285c2df73290dfb7e61f870f',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
]

async function start(project: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const proxyPort = await freePort()
  const env = {
    RELAY_AUDIENCES: `ws://127.0.0.1:${proxyPort}`,
    // A test sets a browser's network address, because the mail limit also counts by address.
    TRUST_PROXY: '1',
    // Nearly no pause between mails, except for the tests of the pause itself, which must last
    // longer than a busy machine needs.
    SOCIAL_LOGINS_PER_HOUR: '1000',
    // Only the first wallets of the stack `pages` are made before recovery is set up: everywhere
    // else a test's wallet has a kit, which brings it to other browsers.
    ...(project === 'pages'
      ? { PASSKEY_ACCOUNTS: 'on', PASSKEY_ACCOUNTS_PER_HOUR: '1000' }
      : { RECOVERY_LATER_ORIGINS: 'none' }),
    MAIL_COOLDOWN_SECONDS: project === 'pages' ? '300' : '1',
    ...(project === 'walletconnect' && { ANALYTICS: 'log', METRICS_TOKEN: metricsToken }),
    ...(project === 'browsers' && { PUBLIC_URL: `http://127.0.0.1:${proxyPort}` }),
    ...(project === 'solana' && { WEB_NETWORKS: [westend.id, ...unserved].join(',') }),
  }
  const parts = partsByProject[project] ?? evmParts
  // In this stack the email wallet has no smart account on the first network.
  const plainChains = project === 'solana' ? (['eip155:31337'] as const) : []
  const parameters = {
    mode: 'production',
    ports: 'free',
    dataDir,
    env,
    parts,
    plainChains,
  } as const
  const stack = await startStack({ ...parameters, log: () => {} })
  const proxy = project === 'browsers' ? await startProxy(proxyPort, stack.urls.web) : undefined
  if (proxy) stack.urls.web = proxy.url
  const stop = async () => {
    await proxy?.stop()
    await stack.stop()
    await printNodeFaults(project, join(dataDir, 'logs/server.log'))
    await rm(dataDir, { recursive: true, force: true })
  }
  return { stack, proxyPort, stop }
}

/** Prints the server's failed node requests: the cause of a 503 that a test reports. */
async function printNodeFaults(project: string, logFile: string) {
  const log = await readFile(logFile, 'utf8').catch(() => '')
  const faults = log.split('\n').filter((line) => line.includes('upstream failed'))
  for (const fault of faults.slice(0, 10)) console.log(`${project}: ${fault}`)
}
