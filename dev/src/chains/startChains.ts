import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Addresses, type Plan, planSeed } from '../contracts/plan.ts'
import { seed } from '../contracts/seed.ts'
import { listPastTransactions } from '../history/listPastTransactions.ts'
import { getPastNote, mineHistory, pastMs } from '../history/mineHistory.ts'
import { assertPortFree, choosePort } from '../ports.ts'
import { endOrphans } from '../processes/orphans.ts'
import type { Child } from '../processes/startChild.ts'
import {
  type DevAccount,
  deriveAccounts,
  fundedCount,
  getDeployer,
  getSponsor,
} from './accounts.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { chainDefinitions, type DevChainId, devChainIds } from './definitions.ts'
import { placeFeeOracle } from './placeFeeOracle.ts'
import { placeServers, type ServerUrls } from './placeServers.ts'
import { isRecent, seededState, writeSeededState } from './seededState.ts'

/** The local EVM chains, running and seeded. */
export type Chains = {
  /** HTTP address of each chain; WebSockets use the same address. */
  urls: Record<DevChainId, string>
  addresses: Record<DevChainId, Addresses>
  /** Ten funded accounts with their keys; the last account is the deployer. */
  accounts: DevAccount[]
  children: Child[]
  /** Ends both and writes their state. Deletes the data folder if this start created it. */
  stop(): Promise<void>
}

/**
 * The facts about the chains before they run: the contracts' addresses follow from the deployer.
 */
export type ChainPlans = {
  accounts: DevAccount[]
  plans: Record<DevChainId, Plan>
  ports: Record<DevChainId, number>
}

/**
 * Starts both chains and, the first time on `dataDir`, deploys the contracts. Without `dataDir` the
 * data is temporary. `past`: new chains begin a month ago, with transactions of the first account.
 * Throws if a port is taken or another version wrote the data.
 */
export async function startChains(
  parameters: { ports?: 'default' | 'free'; dataDir?: string; past?: boolean } = {},
): Promise<Chains> {
  const { ports = 'free', past } = parameters
  const dataDir = parameters.dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-chains-'))
  if (parameters.dataDir) await endOrphans(join(dataDir, 'run'))
  const removeTemporary = () => {
    if (!parameters.dataDir) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const temporary = parameters.dataDir === undefined
    const planned = await planChains(ports)
    const chains = await startPlannedChains({ planned, dataDir, temporary, past })
    const stop = async () => {
      await chains.stop()
      removeTemporary()
    }
    return { ...chains, stop }
  } catch (error) {
    removeTemporary()
    throw error
  }
}

/** Chooses ports and computes the contracts' addresses. Throws when a port is taken. */
export async function planChains(ports: 'default' | 'free'): Promise<ChainPlans> {
  const accounts = deriveAccounts()
  const planned = devChainIds.map(async (id) => {
    const { port: name } = chainDefinitions[id]
    const port = await choosePort(name, ports)
    await assertPortFree(name, port)
    return { id, port, plan: planChain(id, accounts) }
  })
  const chains = await Promise.all(planned)
  return {
    accounts,
    plans: byId(chains, ({ plan }) => plan),
    ports: byId(chains, ({ port }) => port),
  }
}

const plans = new Map<DevChainId, Plan>()

// The plan is the same in every start, because the accounts are always the same.
function planChain(id: DevChainId, accounts: DevAccount[]): Plan {
  const known = plans.get(id)
  if (known) return known
  const { tokensPerAccount } = chainDefinitions[id]
  const holders = accounts.slice(0, fundedCount).map(({ address }) => address)
  const sponsor = getSponsor(accounts).address
  const plan = planSeed({ deployer: getDeployer(accounts), holders, sponsor, tokensPerAccount })
  plans.set(id, plan)
  return plan
}

/** {@link startChains} on what {@link planChains} chose. */
export async function startPlannedChains(parameters: {
  planned: ChainPlans
  dataDir: string
  /** Writes nothing, because no later start uses this data. */
  temporary?: boolean | undefined
  /** See {@link startChains}. */
  past?: boolean | undefined
  signal?: AbortSignal | undefined
  servers?: ServerUrls
}): Promise<Chains> {
  const { planned, dataDir, temporary = false, past = false, signal, servers = {} } = parameters
  mkdirSync(join(dataDir, 'chains'), { recursive: true })
  const started = await Promise.allSettled(
    devChainIds.map(async (id) => ({
      id,
      ...(await startChain({ id, planned, dataDir, temporary, past, signal, servers })),
    })),
  )
  const chains = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => {
    await Promise.all(chains.map((chain) => chain.stop()))
  }
  const failed = started.find((one) => one.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  return {
    urls: byId(chains, ({ url }) => url),
    addresses: byId(chains, ({ id }) => planned.plans[id].addresses),
    accounts: planned.accounts,
    children: chains.map(({ child }) => child),
    stop,
  }
}

async function startChain(parameters: {
  id: DevChainId
  planned: ChainPlans
  dataDir: string
  temporary: boolean
  past: boolean
  signal?: AbortSignal | undefined
  servers: ServerUrls
}): Promise<Anvil> {
  const { id, planned, dataDir, temporary, past, signal, servers } = parameters
  const { chainId, isRollup } = chainDefinitions[id]
  const plan = planned.plans[id]
  claimData({ dataDir, chainId, hash: plan.hash })
  const template = temporary && !past ? seededState(chainId, plan) : undefined
  const loadFrom = template && isRecent(template) ? template : undefined
  const bornMs = past ? Date.now() - pastMs : undefined
  const place = { chainId, port: planned.ports[id], dataDir, temporary, isRollup }
  const anvil = await startAnvil({ ...place, loadFrom, bornMs, signal })
  try {
    const deployer = getDeployer(planned.accounts)
    await seed({ url: anvil.url, deployer, plan })
    if (isRollup) await placeFeeOracle(anvil.url)
    if (template && !loadFrom) await writeSeededState(anvil.url, template)
    const { addresses } = plan
    if (bornMs !== undefined && anvil.isNew) {
      writeFileSync(getPastNote(dataDir, chainId), String(bornMs))
      const { accounts } = planned
      await mineHistory(anvil.url, listPastTransactions(id, { addresses, accounts }))
    }
    const signer = getSponsor(planned.accounts).address
    await placeServers({ url: anvil.url, deployer, addresses }, servers, { signer })
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return anvil
}

// Seeding continues from its last step, which is correct only if all steps are the same.
function claimData({ dataDir, chainId, hash }: { dataDir: string; chainId: number; hash: string }) {
  const file = join(dataDir, 'chains', `${chainId}.seed`)
  if (existsSync(file) && readFileSync(file, 'utf8') !== hash) {
    throw new Error(
      `The chain data in ${dataDir} was made by another version of Latchkey. Start clean with: npm start -- --fresh`,
    )
  }
  writeFileSync(file, hash)
}

const byId = <Chain extends { id: DevChainId }, Value>(
  chains: Chain[],
  value: (chain: Chain) => Value,
) =>
  Object.fromEntries(chains.map((chain) => [chain.id, value(chain)])) as Record<DevChainId, Value>
