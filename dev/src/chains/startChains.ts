import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { type Addresses, type Plan, planSeed } from '../contracts/plan.ts'
import { seed } from '../contracts/seed.ts'
import { assertPortFree, choosePort } from '../ports.ts'
import { endOrphans } from '../processes/orphans.ts'
import type { Child } from '../processes/startChild.ts'
import { type DevAccount, deployerIndex, deriveAccounts, fundedCount } from './accounts.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { chainDefinitions, type DevChainId, devChainIds } from './definitions.ts'

/** The local EVM chains, running and seeded. */
export type Chains = {
  /** HTTP and WebSocket (with ws:) address of each chain. */
  urls: Record<DevChainId, string>
  addresses: Record<DevChainId, Addresses>
  /** Ten funded accounts with their keys; the last one is the deployer's. */
  accounts: DevAccount[]
  children: Child[]
  /** Ends both, writing their state; a data folder of our own making is deleted. */
  stop(): Promise<void>
}

/**
 * Starts both chains and, the first time on `dataDir`, deploys the contracts. Without `dataDir` the data is
 * temporary. Throws when a port is taken or the data was made by another version.
 */
export async function startChains(
  parameters: { ports?: 'default' | 'free'; dataDir?: string } = {},
): Promise<Chains> {
  const { ports = 'free' } = parameters
  const dataDir = parameters.dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-chains-'))
  mkdirSync(dataDir, { recursive: true })
  const removeTemporary = () => {
    if (!parameters.dataDir) rmSync(dataDir, { recursive: true, force: true })
  }
  if (parameters.dataDir) await endOrphans(join(dataDir, 'run'))
  const accounts = deriveAccounts()
  const started = await Promise.allSettled(
    devChainIds.map((id) => startChain({ id, ports, dataDir, accounts })),
  )
  const chains = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => {
    await Promise.all(chains.map(({ anvil }) => anvil.stop()))
    removeTemporary()
  }
  const failed = started.find((one) => one.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  return {
    urls: byId(chains, ({ anvil }) => anvil.url),
    addresses: byId(chains, ({ plan }) => plan.addresses),
    accounts,
    children: chains.map(({ anvil }) => anvil.child),
    stop,
  }
}

type Started = { id: DevChainId; anvil: Anvil; plan: Plan }

async function startChain(parameters: {
  id: DevChainId
  ports: 'default' | 'free'
  dataDir: string
  accounts: DevAccount[]
}): Promise<Started> {
  const { id, ports, dataDir, accounts } = parameters
  const { chainId, port: portName, tokensPerAccount } = chainDefinitions[id]
  const plan = planSeed({
    deployer: addressAt(accounts, deployerIndex),
    holders: accounts.slice(0, fundedCount).map(({ address }) => address),
    tokensPerAccount,
  })
  const port = await choosePort(portName, ports)
  if (ports === 'default') await assertPortFree(portName, port)
  claimData({ dataDir, chainId, hash: plan.hash })
  const anvil = await startAnvil({ chainId, port, dataDir })
  try {
    await seed({ url: anvil.url, deployer: addressAt(accounts, deployerIndex), plan })
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return { id, anvil, plan }
}

// Seeding goes on where it stopped, which is right only for the very same steps.
function claimData({ dataDir, chainId, hash }: { dataDir: string; chainId: number; hash: string }) {
  const file = join(dataDir, 'chains', `${chainId}.seed`)
  mkdirSync(join(dataDir, 'chains'), { recursive: true })
  if (existsSync(file) && readFileSync(file, 'utf8') !== hash) {
    throw new Error(
      `The chain data in ${dataDir} was made by another version of Latchkey. Start clean with: npm start -- --fresh`,
    )
  }
  writeFileSync(file, hash)
}

function addressAt(accounts: DevAccount[], index: number): Address {
  const account = accounts[index]
  if (!account) throw new Error(`There is no account ${index}`)
  return account.address
}

const byId = <Value>(chains: Started[], value: (chain: Started) => Value) =>
  Object.fromEntries(chains.map((chain) => [chain.id, value(chain)])) as Record<DevChainId, Value>
