import type { Allowance } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getCapabilities } from '../capabilities.ts'
import { getAreas } from '../server/getAreas.ts'
import { activeConnection, activeNetwork, isConnected } from '../state.ts'
import { getAllowances } from './getAllowances.ts'
import { rankAllowances } from './rankAllowances.ts'

/** The oldest allowances are on the last page. */
const maxPages = 5

/**
 * The allowances of the connected account on the selected network that have no limit, last changed
 * more than 90 days ago and can take all of a balance. The riskiest come first. Empty if the server
 * does not list allowances. Throws the errors of `callRoute`.
 */
export async function getOldAllowances(
  app: App,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<readonly Allowance[]> {
  const state = app.store.getState()
  const connection = activeConnection(state)
  const chainId = activeNetwork(state).caipNetworkId
  if (!isConnected(connection)) return []
  const areas = (await getAreas(app))(chainId)
  if (!getCapabilities(app, { chainId, areas }).allowances) return []
  const { address } = connection.account
  const all: Allowance[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const { allowances, next } = await getAllowances(app, { address, chainId, cursor, signal })
    all.push(...allowances.filter(({ isSpam }) => !isSpam))
    if (next === null) break
    cursor = next
  }
  const risks = rankAllowances(all, { balances: [], nowMs: app.environment.now() })
  return risks.flatMap(({ allowance, takes, isOld }) =>
    isOld && takes === 'all' ? [allowance] : [],
  )
}
