import type { Allowance, ChainId } from '@latchkey/wire'
import { listAccounts } from '../account/listAccounts.ts'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { getAreas } from '../server/getAreas.ts'
import { getAllowances } from './getAllowances.ts'
import { rankAllowances } from './rankAllowances.ts'

/** An allowance, and the address of the account that granted it. */
export type OldAllowance = { readonly allowance: Allowance; readonly owner: string }

/** The oldest allowances are on the last page. */
const maxPages = 5
/** The account on one network is one list; so many are read at a time. */
const maxParallel = 3

/**
 * The allowances that have no limit, last changed more than 90 days ago and can take all of a
 * balance. They are those of the accounts of all connected wallets, on all networks whose
 * allowances the server lists. The riskiest come first. Networks that cannot be read are left out.
 * Throws the errors of `callRoute` if none can be read.
 */
export async function getOldAllowances(
  app: App,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<readonly OldAllowance[]> {
  const areasOf = await getAreas(app)
  const state = app.store.getState()
  const lists = listAccounts(state).flatMap(({ namespace, address }) =>
    state.networks.flatMap(({ chainNamespace, caipNetworkId: chainId }) =>
      chainNamespace === namespace &&
      getCapabilities(app, { chainId, areas: areasOf(chainId) }).allowances
        ? [{ address, chainId, signal }]
        : [],
    ),
  )
  const found: OldAllowance[] = []
  const failures: unknown[] = []
  const waiting = [...lists]
  const readWaiting = async () => {
    for (let list = waiting.shift(); list; list = waiting.shift()) {
      const { address: owner } = list
      await readList(app, list).then(
        (allowances) => found.push(...allowances.map((allowance) => ({ allowance, owner }))),
        (cause) => failures.push(cause),
      )
    }
  }
  await Promise.all(Array.from({ length: maxParallel }, readWaiting))
  if (failures.length > 0 && failures.length === lists.length) throw failures[0]
  const all = found.map(({ allowance }) => allowance)
  const risks = rankAllowances(all, { balances: [], nowMs: app.environment.now() })
  return risks.flatMap(({ allowance, takes, isOld }) =>
    isOld && takes === 'all' ? found.filter((one) => one.allowance === allowance) : [],
  )
}

async function readList(
  app: App,
  list: { address: string; chainId: ChainId; signal: AbortSignal | undefined },
): Promise<readonly Allowance[]> {
  const all: Allowance[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const { allowances, next } = await getAllowances(app, { ...list, cursor })
    all.push(...allowances.filter(({ isSpam }) => !isSpam))
    if (next === null) break
    cursor = next
  }
  return all
}
