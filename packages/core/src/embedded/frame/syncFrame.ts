import type { App } from '../../app.ts'
import { sdkType, sdkVersion } from '../../server/getApiUrl.ts'
import type { SecureFrame } from './frame.ts'

/**
 * Sends the app and its theme to the frame, and every change of them, until the frame is removed.
 */
export function syncFrame(app: App, frame: SecureFrame): void {
  const { config, storage, store } = app
  const { metadata, projectId } = config
  const quietly = (work: Promise<unknown>) => void work.catch(() => {})
  const { icons, ...words } = metadata
  quietly(
    frame.request('APP_SYNC_DAPP_DATA', {
      metadata: { ...words, icons: [...icons].slice(0, 20) },
      ...{ projectId, sdkType, sdkVersion },
    }),
  )
  quietly(
    frame.request('APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS', {}).then((answer) => {
      storage.set('smartAccountNetworks', answer.smartAccountEnabledNetworks.join(','))
    }),
  )
  const tellTheme = () => {
    const { mode, variables } = store.getState().theme
    const direction = globalThis.document?.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
    const theme = { themeMode: mode, themeVariables: { ...variables }, direction } as const
    quietly(frame.request('APP_SYNC_THEME', theme))
  }
  tellTheme()
  const stop = store.subscribe((state, before) => {
    if (state.theme !== before.theme) tellTheme()
  })
  frame.closed.addEventListener('abort', stop)
  app.signal.addEventListener('abort', stop)
}
