import type { App } from '../createApp.ts'
import type { AccountTab } from '../modal/views.ts'

/** Remembers the tab of the account that is looked at. */
export const setAccountTab = (app: App, accountTab: AccountTab): void =>
  app.store.setState({ accountTab })
