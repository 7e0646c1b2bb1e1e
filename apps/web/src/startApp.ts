import { type App, createApp, setTheme } from '@latchkey/core'
import type { LoadedConfig } from './loadConfig.ts'

/** Creates the app of this page. Its server is the server that the page was loaded from. */
export function startApp(config: LoadedConfig): App {
  const { projectId, networks, developmentWalletUrl, frameUrl } = config
  const { emailLogin, passkeyAccounts, socials } = config
  const { walletConnect, signIn, signInPer: per, signInKeep: keep } = config
  if (developmentWalletUrl) announceDevelopmentWallet(developmentWalletUrl)
  const app = createApp({
    projectId,
    networks,
    apiUrl: location.origin,
    // The list of smart sessions is shown only if the server supports them.
    features: { smartSessions: true },
    modal: { themeMode: 'system' },
    login: { email: emailLogin, passkeyAccounts, socials },
    // INITIALIZE is then sent at the start.
    ...(config.analytics && { analytics: true }),
    ...(frameUrl && { frameUrl }),
    ...(signIn !== 'off' && { signIn: { required: signIn === 'required', per, keep } }),
    ...(walletConnect && { wallets: { walletConnect } }),
  })
  const mode = app.storage.get('themeMode')
  if (mode) setTheme(app, { mode })
  return app
}

/** Loads the script by which the development wallet announces itself (EIP-6963). */
function announceDevelopmentWallet(url: string) {
  const script = document.createElement('script')
  script.type = 'module'
  script.src = `${url.replace(/\/$/, '')}/announce.js`
  document.head.append(script)
}
