import { connect } from '../connection/connect.ts'
import { embeddedId } from '../connection/connectors/embedded.ts'
import type { App } from '../createApp.ts'
import { forceCloseModal } from '../modal/modal.ts'

const loginViews: readonly string[] = ['Connect', 'EmailVerifyDevice', 'EmailVerifyOtp']

/** Takes the accounts of whoever has logged in over, and closes the modal on the login's views. */
export async function finishLogin(app: App, { signal }: { signal?: AbortSignal }): Promise<void> {
  await connect(app, { connectorId: embeddedId, ...(signal && { signal }) })
  app.store.setState({ login: undefined })
  const top = app.store.getState().modal.history.at(-1)
  if (top && loginViews.includes(top.name)) forceCloseModal(app)
}
