import {
  changeEmail,
  type FramePageFacts,
  type FrameProtocol,
  type Handlers,
  isError,
  LatchkeyError,
  readMe,
  resendEmailCode,
  verifyPrimaryEmail,
  verifySecondaryEmail,
  type WalletAddresses,
} from '@latchkey/wire'
import { createAnswerSafe } from './answerSafe.ts'
import { applyTheme } from './applyTheme.ts'
import { type FrameChain, findChain, hostChainId, readChains } from './chains.ts'
import { createRequests, type RpcRequest } from './createRequests.ts'
import { prepareWallet } from './flows/prepareWallet.ts'
import { showCode } from './flows/showCode.ts'
import { withStepUp } from './flows/withStepUp.ts'
import type { HostLine } from './host/line.ts'
import type { Keys } from './openKeys.ts'
import type { ReadChain } from './readChain.ts'
import type { Stage } from './screens/stage.ts'
import { awaitApproval, beginLogin, type Login, resend, verifyCode } from './session/login.ts'
import type { Session } from './session/session.ts'
import type { KeyStore } from './wallet/keyStore.ts'

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

// The server's cooldown; it refuses by itself what comes sooner.
const resendMs = 30_000
const consentKey = (origin: string) => `consent ${origin}`

/** What the frame answers to the page at `line.origin`. */
export function createFrame(parts: Parts, line: HostLine): Handlers<FrameProtocol> {
  const { window, facts, store, session, keys, stage, read } = parts
  const { origin } = line
  const chains = readChains(facts)
  let current: FrameChain | undefined = chains[0]
  let login: Login | undefined
  let changeTx: string | undefined
  let knownDevice: string | undefined
  let claimedName: string | undefined
  let ready: Promise<WalletAddresses> | undefined

  const off = session.subscribe((next) => {
    ready = undefined
    if (next?.knownDevice) line.emit('FRAME_SESSION_UPDATE', { token: next.knownDevice })
    if (next) return
    keys.close()
    requests.abort()
    line.emit('FRAME_SIGNED_OUT', {})
  })
  line.closed.addEventListener('abort', off)

  const signedIn = async () => {
    const found = await session.read()
    if (!found) throw new LatchkeyError('SIGNED_OUT')
    return found
  }
  const hasConsent = async () => (await store.get(consentKey(origin))) === true
  const consent = () => store.put(consentKey(origin), true)
  const wallet = (signal: AbortSignal) => {
    ready ??= prepareWallet(parts, signal).catch((error: unknown) => {
      ready = undefined
      throw error
    })
    return ready
  }
  const chainOf = (id: string | number | undefined, namespace?: string): FrameChain => {
    if (id !== undefined) return findChain(chains, id)
    const found =
      namespace === undefined || current?.namespace === namespace
        ? current
        : chains.find((chain) => chain.namespace === namespace)
    if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    return found
  }
  const addressOn = (addresses: WalletAddresses, { namespace }: FrameChain) => addresses[namespace]
  /** The account, where this page may know it. Asks nobody. */
  const knownAccounts = async (signal: AbortSignal) => {
    if (!(await session.read()) || !(await hasConsent())) return undefined
    return wallet(signal)
  }
  /** The six digits: from the page where the project allows that, else from the frame's own boxes. */
  const enter = <Result>(
    otp: string | undefined,
    given: {
      title: 'login' | 'primary' | 'secondary'
      email: string
      resend: () => Promise<number>
      resendAtMs: number
      check: (code: string) => Promise<Result>
      signal: AbortSignal
    },
  ): Promise<Result> => {
    if (otp === undefined) return showCode(stage, given)
    if (facts.otpSurface !== 'host') throw new LatchkeyError('REQUEST_NOT_ALLOWED')
    return given.check(otp)
  }

  const requests = createRequests({
    now: Date.now,
    answerSafe: createAnswerSafe({
      read,
      account: async () => (await knownAccounts(line.closed))?.eip155,
    }),
    approve: async (request: RpcRequest, signal: AbortSignal) => {
      const accounts = await knownAccounts(signal)
      if (!accounts) throw new LatchkeyError('UNAUTHORIZED')
      const { approveRequest } = await import('./approve/approveRequest.ts')
      return approveRequest(parts, { request, accounts, origin, claimedName, signal })
    },
  })
  line.closed.addEventListener('abort', () => requests.abort())
  const runningLogin = () => {
    if (!login) throw new LatchkeyError('LOGIN_ENDED')
    return login
  }
  const runningChange = () => {
    if (!changeTx) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
    return changeTx
  }

  return {
    APP_CONNECT_EMAIL: async ({ email }) => {
      const found = await session.read()
      if (found && sameEmail(found.email, email) && (await isLive(session)))
        return { action: 'CONNECT' }
      const place = { projectId: facts.projectId, origin }
      login = await beginLogin(session, email, {
        ...place,
        knownDevice: knownDevice ?? found?.knownDevice,
      })
      const { action, matchCode, resendAtMs } = login
      const resendSeconds = secondsUntil(resendAtMs)
      return action === 'VERIFY_DEVICE'
        ? { action, matchCode, resendSeconds }
        : { action, resendSeconds }
    },
    APP_RESEND: async () => {
      const resendSeconds = await resend(session, runningLogin())
      login = { ...runningLogin(), resendAtMs: Date.now() + resendSeconds * 1_000 }
      return { resendSeconds }
    },
    APP_CONNECT_DEVICE: async (_, { signal }) => {
      await awaitApproval(session, runningLogin(), signal)
      return {}
    },
    APP_CONNECT_OTP: ({ otp }, { signal }) =>
      stage.during(async () => {
        const started = runningLogin()
        await enter(otp, {
          title: 'login',
          email: started.email,
          resendAtMs: started.resendAtMs,
          resend: () => resend(session, started),
          check: async (code) => {
            keys.close()
            await verifyCode(session, started, code)
            // Logging in on this page is what shows the account to it.
            await consent()
          },
          signal,
        })
        login = undefined
        await wallet(signal)
        return {}
      }),
    APP_GET_USER: ({ chainId }, { signal }) =>
      stage.during(async () => {
        const { email } = await signedIn()
        const chain = chainOf(chainId)
        if (!(await hasConsent())) {
          const { showConsent } = await import('./flows/showConsent.ts')
          await showConsent(stage, { origin, signal })
          await consent()
        }
        const addresses = await wallet(signal)
        current = chain
        const address = addressOn(addresses, chain)
        return {
          email,
          address,
          chainId: hostChainId(chain),
          accounts: [{ address, type: 'eoa' }],
          smartAccountDeployed: false,
          preferredAccountType: 'eoa',
        }
      }),
    APP_SIGN_OUT: async () => {
      await session.end({})
      await store.delete(consentKey(origin))
      return {}
    },
    APP_IS_CONNECTED: async ({ token }) => {
      if (token !== undefined) knownDevice = token
      return { isConnected: Boolean(await session.read()) && (await isLive(session)) }
    },
    APP_GET_CHAIN_ID: async () => ({ chainId: hostChainId(chainOf(undefined)) }),
    APP_SWITCH_NETWORK: async ({ chainId }) => {
      current = findChain(chains, chainId)
      return { chainId: hostChainId(current) }
    },
    APP_SET_PREFERRED_ACCOUNT: async (_, { signal }) => {
      const addresses = await knownAccounts(signal)
      if (!addresses) throw new LatchkeyError('UNAUTHORIZED')
      return { type: 'eoa', address: addressOn(addresses, chainOf(undefined)) }
    },
    APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [] }),
    APP_UPDATE_EMAIL: async ({ email }) => {
      await signedIn()
      const begun = await withStepUp(parts, origin, () => session.call(changeEmail, { email }))
      changeTx = begun.changeTx
      return { action: begun.action, resendSeconds: begun.resendSeconds }
    },
    APP_UPDATE_EMAIL_PRIMARY_OTP: async ({ otp }, { signal }) => {
      const tx = runningChange()
      const { email } = await signedIn()
      await enter(otp, {
        title: 'primary',
        email,
        ...resendOf(session, tx),
        check: (code) => session.call(verifyPrimaryEmail, { changeTx: tx, code }),
        signal,
      })
      return {}
    },
    APP_UPDATE_EMAIL_SECONDARY_OTP: async ({ otp }, { signal }) => {
      const tx = runningChange()
      const { newEmail } = await enter(otp, {
        title: 'secondary',
        email: '',
        ...resendOf(session, tx),
        check: (code) => session.call(verifySecondaryEmail, { changeTx: tx, code }),
        signal,
      })
      changeTx = undefined
      await session.rename(newEmail)
      line.emit('FRAME_EMAIL', { email: newEmail })
      return { newEmail }
    },
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
    APP_RPC_REQUEST: ({ method, params, chainId, chainNamespace }, { signal }) =>
      requests.handle({ method, params, chain: chainOf(chainId, chainNamespace) }, signal),
    APP_RPC_ABORT: () => {
      requests.abort()
      return {}
    },
    APP_OPEN: async ({ page }, { signal }) => {
      await signedIn()
      const { openPage } = await import('./flows/openPage.ts')
      await openPage(parts, { page, origin, signal })
      return {}
    },
    APP_CLOSE: () => {
      stage.close()
      return {}
    },
  }
}

const secondsUntil = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))

const sameEmail = (one: string, other: string) =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

async function isLive(session: Session): Promise<boolean> {
  try {
    await session.call(readMe, {})
    return true
  } catch (error) {
    if (isError(error, 'SIGNED_OUT')) return false
    throw error
  }
}

const resendOf = (session: Session, changeTx: string) => ({
  resend: async () => (await session.call(resendEmailCode, { changeTx })).resendSeconds,
  resendAtMs: Date.now() + resendMs,
})
