import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { activeConnection, isConnected, listConnections } from '../state.ts'
import { hasLogin } from './login/hasLogin.ts'

/**
 * Call it before a page shows an address of the account to receive money; by default, the address
 * on the selected network. If it belongs to an embedded wallet that has no way of recovery, the
 * secure frame prompts the user to set up a way, once a visit. Resolves when the user has done so,
 * or does it later. Throws USER_REJECTED if the user closes the question, FRAME_NOT_LOADED and
 * SIGNED_OUT.
 */
export const askRecovery = (
  app: App,
  { address }: { readonly address?: string | undefined } = {},
): Promise<void> =>
  attempt(async () => {
    const { runtime } = app
    if (findUnrecoverable(app, address) === undefined) return
    const addresses = listOwnAddresses(app)
    const asked = runtime.recoveryQuestion
    const isAsked = asked?.addresses.some((one) => addresses.includes(one))
    const question = asked && isAsked ? asked : { addresses, answered: showQuestion(app) }
    runtime.recoveryQuestion = question
    try {
      await question.answered
    } catch (error) {
      if (runtime.recoveryQuestion === question) runtime.recoveryQuestion = undefined
      throw error
    }
  })

/**
 * The address if it belongs to an embedded wallet that has no way of recovery; by default, the
 * address on the selected network is checked.
 */
export function findUnrecoverable(app: App, address?: string): string | undefined {
  const state = app.store.getState()
  if (state.user?.isRecoverable !== false) return undefined
  const active = activeConnection(state)
  const shown = address ?? (isConnected(active) ? active.account.address : undefined)
  return shown !== undefined && listOwnAddresses(app).includes(shown) ? shown : undefined
}

/** The addresses of the embedded wallet that are connected. */
const listOwnAddresses = (app: App): string[] =>
  listConnections(app.store.getState())
    .filter(({ connectorId }) => hasLogin(app, connectorId))
    .flatMap(({ accounts }) => accounts.map(({ address }) => address))

async function showQuestion(app: App): Promise<void> {
  const { openFramePage } = await import('./openFramePage.ts')
  await openFramePage(app, { page: 'back-up' })
}
