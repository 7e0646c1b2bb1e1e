import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { loadLiteSvm } from './chains/solana/loadLiteSvm.ts'
import { planChains } from './chains/startChains.ts'
import { writeChainFiles } from './chains/writeChainFiles.ts'
import { writeDescriptions } from './chains/writeDescriptions.ts'
import { listSold } from './checkout/listSold.ts'
import { writeOnrampFile } from './checkout/writeOnrampFile.ts'
import { writeSocialsFile } from './identity/writeSocialsFile.ts'
import { makeDatabase } from './makeDatabase.ts'
import { assertPortFree, choosePort, freePort, host } from './ports.ts'
import {
  checkoutUrl,
  identityUrl,
  type Part,
  type Plan,
  perChain,
  type StackParameters,
} from './startPart.ts'

const allParts: Part[] = [
  'chains',
  'solana',
  'bitcoin',
  'inbox',
  'identity',
  'media',
  'faucet',
  'checkout',
  'server',
  'frame',
  'web',
  'wallet',
]

/**
 * Chooses ports, and writes the files that the parts read. Leaves Solana out if this machine cannot
 * run it.
 */
export async function planStack(parameters: StackParameters): Promise<Plan> {
  const { mode, ports, dataDir, log } = parameters
  const parts = leaveOutSolana(parameters.parts ?? allParts, log)
  const names = [
    'web',
    'wallet',
    'frame',
    'inbox',
    'identity',
    'media',
    'bitcoin',
    'faucet',
    'checkout',
  ] as const
  const [planned, smtpPort, solanaPort, ...chosen] = await Promise.all([
    planChains(ports),
    freePort(),
    choosePort('solana', ports),
    ...names.map(async (name) => {
      const port = await choosePort(name, ports)
      await assertPortFree(name, port)
      return port
    }),
  ])
  const [webPort = 0, walletPort = 0, framePort = 0, inboxPort = 0, ...others] = chosen
  const [identityPort = 0, mediaPort = 0, bitcoinPort = 0, faucetPort = 0, checkoutPort = 0] =
    others
  const apiPort = mode === 'development' ? await freePort() : webPort
  const solana = parts.includes('solana') ? { port: solanaPort } : undefined
  const bitcoin = parts.includes('bitcoin') ? { port: bitcoinPort } : undefined
  const faucet = parts.includes('faucet') ? { port: faucetPort } : undefined
  const chainsFile = writeChainFiles({
    ...{ planned, solana, bitcoin, faucet, dataDir },
    plainChains: parameters.plainChains ?? [],
  })
  const descriptions = writeDescriptions(planned, dataDir)
  const pages = { webPort, walletPort, framePort, inboxPort, identityPort, mediaPort }
  const own = { ...pages, apiPort, smtpPort, solanaPort, bitcoinPort, faucetPort, checkoutPort }
  const identitySecret = randomBytes(24).toString('base64url')
  const identity = { url: identityUrl({ identityPort }), secret: identitySecret }
  const farcaster = {
    rpcUrl: `http://${host}:${planned.ports['eip155:31337']}`,
    registry: planned.plans['eip155:31337'].addresses.farcaster,
  }
  const socialsFile = writeSocialsFile({ ...identity, farcaster, dataDir })
  const sold = listSold({
    usd: perChain((id) => planned.plans[id].addresses.usd),
    hasSolana: solana !== undefined,
  })
  const shop = { sold, checkoutSecret: randomBytes(32) }
  const onrampFile = writeOnrampFile({
    ...{ url: checkoutUrl({ checkoutPort }), sold, dataDir },
    secret: shop.checkoutSecret,
  })
  const files = { chainsFile, descriptions, socialsFile, onrampFile }
  const databaseUrl = await chooseDatabase({ ...parameters, parts })
  return { ...parameters, ...own, ...files, ...shop, parts, planned, identitySecret, databaseUrl }
}

/**
 * A new database in the PostgreSQL of the Vitest run. Outside a run it is empty, and the server
 * starts its own PostgreSQL.
 */
async function chooseDatabase({ ports, parts, env }: StackParameters): Promise<string> {
  const isShared = ports === 'free' && process.env.TEST_DATABASES !== undefined
  return isShared && parts?.includes('server') && !env?.DATABASE_URL ? makeDatabase() : ''
}

// LiteSVM has no build for some machines; everything else works there.
function leaveOutSolana(parts: Part[], log: (line: string) => void): Part[] {
  if (!parts.includes('solana')) return parts
  try {
    loadLiteSvm()
    return parts
  } catch (error) {
    log(`Without the local Solana chain: ${error instanceof Error ? error.message : error}`)
    return parts.filter((part) => part !== 'solana')
  }
}

/**
 * Creates the data folder. As root, PostgreSQL runs as another user, which must reach its files.
 */
export function makeDataDir(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
}
