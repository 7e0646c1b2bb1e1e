import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { applyTheme } from '../applyTheme.ts'
import { parseChains } from '../chains.ts'
import type { FrameContext } from '../context.ts'
import { announceWallet, watchWallet } from '../flows/walletNews.ts'
import { createThrottle } from '../host/createThrottle.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import type { KeyClient } from '../openKeys.ts'
import { pictureKey } from '../picture/picture.ts'
import { sendAccountType } from '../requests/calls/accountType.ts'
import { createCallsAccess } from '../requests/calls/callsAccess.ts'
import { findBatchChain } from '../requests/calls/findBatchChain.ts'
import { createRequestQueue } from '../requests/createRequestQueue.ts'
import { createSafeRequestHandler } from '../requests/createSafeRequestHandler.ts'
import { loadPreparation } from '../requests/loadPreparation.ts'
import { accountHandlers } from './accountHandlers.ts'
import { createAccount } from './createAccount.ts'
import type { EmailChangeHandlers } from './emailChangeHandlers.ts'
import { loginHandlers } from './loginHandlers.ts'
import { notifyAccountType } from './notifyAccountType.ts'
import type { SocialHandlers } from './socialHandlers.ts'

/** The frame's handlers for the page at `connection.origin`. */
export function createHandlers(
  context: FrameContext,
  connection: HostConnection,
): Handlers<FrameProtocol> {
  const { window, session, store, keys, screenQueue, read } = context
  const { origin } = connection
  const account = createAccount(context, connection, () => requests.abort())
  let claimedName: string | undefined
  let change: Promise<EmailChangeHandlers> | undefined
  // Rarely needed, so it loads on demand, and only once because it holds the state of the current
  // change.
  const emailChange = () => {
    change ??= import('./emailChangeHandlers.ts').then(
      ({ emailChangeHandlers }) => emailChangeHandlers(context, account, connection),
      (cause) => {
        change = undefined
        throw cause
      },
    )
    return change
  }
  const types = notifyAccountType(context, account, connection)
  const byUser = accountHandlers(context, account, { origin, types })
  let social: Promise<SocialHandlers> | undefined
  const atProviders = () => {
    social ??= import('./socialHandlers.ts').then(
      ({ socialHandlers }) => socialHandlers(context, account, connection, byUser.APP_GET_USER),
      (cause) => {
        social = undefined
        throw cause
      },
    )
    return social
  }

  const admitTokens = createThrottle(Date.now)
  const tokens = async () => {
    const { tokenHandlers } = await import('./tokenHandlers.ts')
    return tokenHandlers(context, account, { origin, admit: admitTokens })
  }

  let email: string | null | undefined
  void session.read().then((found) => {
    email ??= found?.email
  })
  const off = session.subscribe((next) => {
    const hasMoved = email !== undefined && next !== undefined && next.email !== email
    email = next?.email
    if (hasMoved) void tellEmail().catch(() => {})
    if (next?.knownDevice) connection.emit('FRAME_SESSION_UPDATE', { token: next.knownDevice })
    if (next) return
    account.reset()
    keys.close()
    requests.abort()
    connection.emit('FRAME_SIGNED_OUT', {})
  })
  connection.closed.addEventListener('abort', off)
  watchWallet(() => account.followWallet(), connection.closed)
  /** Notifies the page of a change in this tab, in another tab or in another browser. */
  const tellEmail = async () => {
    const shared = await account.getSharedEmail()
    if (shared) connection.emit('FRAME_EMAIL', { email: shared })
  }

  /**
   * Has the user choose a picture, so that the first approval in this browser already shows it. A
   * browser that stores nothing would prompt each time, so it has no picture.
   */
  const requirePicture = async (signal: AbortSignal) => {
    const { userId } = await account.requireUser()
    if (!store.durable || (await store.get(pictureKey(userId))) !== undefined) return
    const { askPicture } = await import('../flows/choosePicture.ts')
    await askPicture(context, { userId, signal })
  }

  /**
   * wallet_disconnect: ends this page's access. The login stays, and so does the access of other
   * pages.
   */
  const disconnect = async () => {
    const isConnected = await account.hasConsent().catch(() => false)
    await account.revokeConsent()
    requests.abort()
    if (isConnected) connection.emit('FRAME_SIGNED_OUT', {})
  }

  const requests = createRequestQueue({
    now: Date.now,
    handleSafe: createSafeRequestHandler({
      read,
      account: async () => (await account.getSharedAddresses(connection.closed))?.eip155,
      chains: parseChains(context.facts),
      access: (address) => createCallsAccess(context.store, { origin, account: address }),
      session,
      disconnect,
    }),
    approve: async (asked, signal) => {
      const request = { ...asked, chain: findBatchChain(parseChains(context.facts), asked) }
      const accounts = await account.getSharedAddresses(signal)
      if (!accounts) throw new LatchkeyError('UNAUTHORIZED')
      // It may take minutes: how the request is sent is read after that.
      await requirePicture(signal)
      const calls = createCallsAccess(store, { origin, account: accounts.eip155 })
      const [{ approveRequest }, prepare] = await Promise.all([
        import('../requests/approveRequest.ts'),
        loadPreparation({ ...request, calls }),
      ])
      // The account that is shown must sign.
      const own: KeyClient = {
        ...keys,
        do: async (work, params) => {
          await account.requireUser()
          return keys.do(work, params, accounts.eip155)
        },
      }
      // A batch that has to be atomic turns the smart account on.
      return types
        .during(() =>
          approveRequest(
            { ...context, keys: own },
            { request, prepare, calls, accounts, origin, claimedName, signal },
          ),
        )
        .finally(() => void sendAccountType(context, accounts.eip155))
    },
  })
  connection.closed.addEventListener('abort', () => requests.abort())

  return {
    ...loginHandlers(context, account, origin),
    ...byUser,
    APP_GET_SOCIAL_REDIRECT_URI: async (...parameters) =>
      (await atProviders()).APP_GET_SOCIAL_REDIRECT_URI(...parameters),
    APP_GET_FARCASTER_URI: async (...parameters) =>
      (await atProviders()).APP_GET_FARCASTER_URI(...parameters),
    APP_CONNECT_FARCASTER: async (...parameters) =>
      (await atProviders()).APP_CONNECT_FARCASTER(...parameters),
    APP_RETURN_SOCIAL: async (...parameters) =>
      (await atProviders()).APP_RETURN_SOCIAL(...parameters),
    APP_CONNECT_SOCIAL: async (...parameters) =>
      (await atProviders()).APP_CONNECT_SOCIAL(...parameters),
    APP_CONNECT_PASSKEY: async (...parameters) => {
      const { passkeyHandler } = await import('./passkeyHandler.ts')
      const getUser = byUser.APP_GET_USER
      const isPlain = connection.isPlain === true
      return passkeyHandler(context, account, { origin, isPlain, getUser })(...parameters)
    },
    APP_UPDATE_EMAIL: async (...parameters) =>
      (await emailChange()).APP_UPDATE_EMAIL(...parameters),
    APP_UPDATE_EMAIL_PRIMARY_OTP: async (...parameters) =>
      (await emailChange()).APP_UPDATE_EMAIL_PRIMARY_OTP(...parameters),
    APP_UPDATE_EMAIL_SECONDARY_OTP: async (...parameters) =>
      (await emailChange()).APP_UPDATE_EMAIL_SECONDARY_OTP(...parameters),
    APP_SYNC_THEME: (theme) => {
      applyTheme(window.document.documentElement, theme)
      return {}
    },
    APP_SYNC_DAPP_DATA: ({ metadata }) => {
      claimedName = metadata?.name
      return {}
    },
    APP_RELOAD: () => {
      setTimeout(() => window.location.reload())
      return {}
    },
    APP_RPC_REQUEST: ({ method, params, chainId, chainNamespace }, { signal }) => {
      const chain = account.getChain(chainId, chainNamespace)
      return requests.handle({ method, params, chain }, signal)
    },
    APP_GET_TOKENS: async (...parameters) => (await tokens()).APP_GET_TOKENS(...parameters),
    APP_REMOVE_TOKEN: async (...parameters) => (await tokens()).APP_REMOVE_TOKEN(...parameters),
    APP_RPC_ABORT: () => {
      requests.abort()
      return {}
    },
    APP_OPEN: async ({ page }, { signal }) => {
      await account.requireUser()
      const { openPage } = await import('../flows/openPage.ts')
      await types.during(() => openPage(context, { page, origin, signal }))
      // The user may have set up recovery there, which concerns the other tabs too.
      if (await account.lacksRecovery()) {
        await account.followWallet()
        announceWallet()
      }
      return {}
    },
    APP_CLOSE: () => {
      screenQueue.close()
      return {}
    },
  }
}
