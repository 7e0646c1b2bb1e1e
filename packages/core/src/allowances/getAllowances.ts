import { type Allowance, accountAllowancesRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { serverImageUrl } from '../server/imageUrl.ts'
import { type AccountPageParameters, readAccountPage } from '../server/readAccountPage.ts'

/**
 * A page of the allowances that an account has granted. `isComplete`: whether the account's whole
 * history is indexed.
 */
export type AllowancePage = {
  allowances: readonly Allowance[]
  next: string | null
  isComplete: boolean
}

/**
 * The allowances of an account on a network, most recently changed first, from a cursor. Throws the
 * errors of `callRoute`.
 */
export async function getAllowances(
  app: App,
  parameters: AccountPageParameters,
): Promise<AllowancePage> {
  const { data, ...page } = await readAccountPage(app, accountAllowancesRoute, parameters)
  const allowances = data.map((one) => ({
    ...one,
    token: { ...one.token, iconUrl: serverImageUrl(app, one.token.iconUrl) ?? null },
  }))
  return { allowances, ...page }
}
