import {
  type FramePageFacts,
  type FrameProtocol,
  type Handlers,
  LatchkeyError,
} from '@latchkey/wire'
import { applyTheme } from '../applyTheme.ts'
import type { HostLine } from '../host/hostConnection.ts'
import type { Keys } from '../openKeys.ts'
import type { ReadChain } from '../readChain.ts'
import { createRequests } from '../requests/createRequestQueue.ts'
import { createAnswerSafe } from '../requests/createSafeRequestHandler.ts'
import type { Stage } from '../screens/screenQueue.ts'
import type { Session } from '../session/session.ts'
import type { KeyStore } from '../wallet/keyStore.ts'
import { answerAccount } from './accountHandlers.ts'
import { openAccount } from './createAccount.ts'
import type { EmailChange } from './emailChangeHandlers.ts'
import { answerLogin } from './loginHandlers.ts'

/** All a frame works with. */
export type Parts = {
  readonly window: Window
  readonly facts: FramePageFacts
  readonly store: KeyStore
  readonly session: Session
  readonly keys: Keys
  readonly stage: Stage
  readonly read: ReadChain
}

/** What the frame answers to the page at `line.origin`. */
export function createFrame(parts: Parts, line: HostLine): Handlers<FrameProtocol> {
  const { window, session, keys, stage, read } = parts
  const { origin } = line
  const account = openAccount(parts, line, () => requests.abort())
  let claimedName: string | undefined
  let change: Promise<EmailChange> | undefined
  // Seldom wanted, so loaded when it is; once, since it knows the change under way.
  const emailChange = () => {
    change ??= import('./emailChangeHandlers.ts').then(
      ({ answerEmailChange }) => answerEmailChange(parts, account, line),
      (cause) => {
        change = undefined
        throw cause
      },
    )
    return change
  }

  const off = session.subscribe((next) => {
    if (next?.knownDevice) line.emit('FRAME_SESSION_UPDATE', { token: next.knownDevice })
    if (next) return
    account.forget()
    keys.close()
    requests.abort()
    line.emit('FRAME_SIGNED_OUT', {})
  })
  line.closed.addEventListener('abort', off)

  const requests = createRequests({
    now: Date.now,
    answerSafe: createAnswerSafe({
      read,
      account: async () => (await account.known(line.closed))?.eip155,
    }),
    approve: async (request, signal) => {
      const accounts = await account.known(signal)
      if (!accounts) throw new LatchkeyError('UNAUTHORIZED')
      const { approveRequest } = await import('../requests/approveRequest.ts')
      // Signed by the account that is shown, or not at all.
      const own: Keys = {
        ...keys,
        do: async (...work) => {
          await account.signedIn()
          return keys.do(...work)
        },
      }
      return approveRequest(
        { ...parts, keys: own },
        { request, accounts, origin, claimedName, signal },
      )
    },
  })
  line.closed.addEventListener('abort', () => requests.abort())

  return {
    ...answerLogin(parts, account, origin),
    ...answerAccount(stage, account, origin),
    APP_UPDATE_EMAIL: async (...asked) => (await emailChange()).APP_UPDATE_EMAIL(...asked),
    APP_UPDATE_EMAIL_PRIMARY_OTP: async (...asked) =>
      (await emailChange()).APP_UPDATE_EMAIL_PRIMARY_OTP(...asked),
    APP_UPDATE_EMAIL_SECONDARY_OTP: async (...asked) =>
      (await emailChange()).APP_UPDATE_EMAIL_SECONDARY_OTP(...asked),
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
      const chain = account.chainOf(chainId, chainNamespace)
      return requests.handle({ method, params, chain }, signal)
    },
    APP_RPC_ABORT: () => {
      requests.abort()
      return {}
    },
    APP_OPEN: async ({ page }, { signal }) => {
      await account.signedIn()
      const { openPage } = await import('../flows/openPage.ts')
      await openPage(parts, { page, origin, signal })
      return {}
    },
    APP_CLOSE: () => {
      stage.close()
      return {}
    },
  }
}
