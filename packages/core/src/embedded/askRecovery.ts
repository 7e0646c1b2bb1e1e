import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'

/**
 * Call it before a page shows the account's address to receive money. If the embedded wallet has no
 * way of recovery, the secure frame prompts the user to set up a way, once a visit. Resolves when
 * the user has done so, or does it later. Throws FRAME_NOT_LOADED and SIGNED_OUT.
 */
export const askRecovery = (app: App): Promise<void> =>
  attempt(async () => {
    const { runtime, store } = app
    const { user } = store.getState()
    if (user?.isRecoverable !== false) return
    if (runtime.recoveryQuestion?.user !== user)
      runtime.recoveryQuestion = { user, answered: showQuestion(app) }
    const question = runtime.recoveryQuestion
    try {
      await question.answered
    } catch (error) {
      if (runtime.recoveryQuestion === question) runtime.recoveryQuestion = undefined
      throw error
    }
  })

async function showQuestion(app: App): Promise<void> {
  const { openFramePage } = await import('./openFramePage.ts')
  await openFramePage(app, { page: 'back-up' })
}
