import {
  LatchkeyError,
  readMeRoute,
  readPageTrustRoute,
  type WalletAddresses,
} from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import { type FrameChain, findFrameChain, parseChains } from '../chains.ts'
import type { FrameContext } from '../context.ts'
import type { FirstPasskey } from '../flows/beginPasskeyAccount.ts'
import { ensureWallet, type UsableWallet } from '../flows/ensureWallet.ts'
import type { HostConnection } from '../host/hostConnection.ts'

const consentKey = (origin: string) => `consent ${origin}`
/**
 * The stored consent of a user who agreed to show the email address too. A consent that is only the
 * id was stored before consents recorded this.
 */
const withEmail = (userId: string) => `${userId} with e-mail`
/**
 * The consent of a user whose account had no address: the page may see an address only after a new
 * request.
 */
const withoutEmail = (userId: string) => `${userId} without e-mail`

/** The account and network in use, as far as the page at `origin` may know them. */
export type FrameAccount = {
  /** Makes the signed-in user known to the page and returns the user. Throws SIGNED_OUT. */
  bindUser(): Promise<User>
  /**
   * The user whose account is shown to the page. If another tab has signed in or out since,
   * notifies the page and throws SIGNED_OUT.
   */
  requireUser(): Promise<User>
  hasConsent(): Promise<boolean>
  /** The email address, if the account has one and the user agreed to show it. */
  getSharedEmail(): Promise<string | null>
  /**
   * Stores that the user has agreed to show the page the account, and the email address if the
   * screen named it.
   */
  grantConsent(shown: { readonly withEmail: boolean }): Promise<void>
  /**
   * Whether the project trusts this page with codes now. If so, the page needs no consent of the
   * user and sees the email address, until the page reloads.
   */
  takeTrust(): Promise<boolean>
  revokeConsent(): Promise<void>
  /**
   * The wallet's addresses. Prompts a user without a wallet to set one up, unless the passkey that
   * began the account recovers it.
   */
  getAddresses(signal: AbortSignal, passkey?: FirstPasskey): Promise<WalletAddresses>
  /** Whether the wallet that the page shows has no way of recovery. */
  lacksRecovery(): Promise<boolean>
  /** The addresses, if the page may know them. Does not prompt the user. */
  getSharedAddresses(signal: AbortSignal): Promise<WalletAddresses | undefined>
  /**
   * The network of an id, otherwise the one in use or the first of `namespace`. Throws
   * CHAIN_NOT_SUPPORTED.
   */
  getChain(id: string | number | undefined, namespace?: string): FrameChain
  setChain(chain: FrameChain): void
  /**
   * Checks whether this browser now uses another wallet of the user than the page shows. If so,
   * ends what waits for the previous wallet and notifies the page. Also notifies the page if the
   * wallet has got its first way of recovery.
   */
  followWallet(): Promise<void>
  /** Call it after the session has ended. */
  reset(): void
}

type User = NonNullable<Awaited<ReturnType<LoginSession['read']>>>

/** `abort` ends pending decisions of the user. */
export function createAccount(
  context: FrameContext,
  connection: HostConnection,
  abort: () => void,
): FrameAccount {
  const { facts, store, session } = context
  const { origin } = connection
  const chains = parseChains(facts)
  let current: FrameChain | undefined = chains[0]
  // The session known to the page; it identifies the browser and the user.
  let deviceId: string | undefined
  let ready: Promise<UsableWallet> | undefined
  /** The wallet has got a way of recovery since `ready`. */
  let isRecovered = false
  let isTrusted = false

  const bindUser = async () => {
    const found = await session.read()
    if (!found) throw new LatchkeyError('SIGNED_OUT')
    if (found.deviceId !== deviceId) {
      if (deviceId !== undefined) abort()
      ready = undefined
      isTrusted = false
    }
    deviceId = found.deviceId
    return found
  }
  const requireUser = async () => {
    if (deviceId === undefined) return bindUser()
    const found = await session.read()
    if (found?.deviceId === deviceId) return found
    abort()
    connection.emit('FRAME_SIGNED_OUT', {})
    throw new LatchkeyError('SIGNED_OUT')
  }
  /**
   * Reads a consent stored before consents recorded the address: it includes the address only if
   * the account began with one. If the server cannot report this now, the next read requests it
   * again, and the address is not shown until then.
   */
  const readOldConsent = async ({ userId, email }: User) => {
    const me =
      email === null ? undefined : await session.call(readMeRoute, {}).catch(() => undefined)
    const isKnown = email === null || (me?.userId === userId && me.hadNoEmail !== undefined)
    const began = email !== null && isKnown && me?.hadNoEmail === false
    const consent = began ? withEmail(userId) : withoutEmail(userId)
    if (isKnown && (await store.get(consentKey(origin))) === userId)
      await store.put(consentKey(origin), consent)
    return consent
  }
  /** Separate for each user. */
  const readConsent = async () => {
    const user = await requireUser()
    const { userId, email } = user
    const stored = await store.get(consentKey(origin))
    const found = stored === userId ? await readOldConsent(user) : stored
    const isWhole = isTrusted || found === withEmail(userId)
    return { email: isWhole ? email : null, isGiven: isWhole || found === withoutEmail(userId) }
  }
  const hasConsent = async () => (await readConsent()).isGiven
  const takeTrust = async () => {
    isTrusted = false
    if (facts.otpSurface !== 'host') return false
    const page = { projectId: facts.projectId, origin }
    isTrusted = (await session.call(readPageTrustRoute, page, { as: 'proof' })).trusted
    return isTrusted
  }
  const prepare = async (signal: AbortSignal, passkey?: FirstPasskey) => {
    // The user would not see the choice of a recovery there.
    const isHidden = connection.isPlain === true && (await takeTrust())
    const isRecoveryLater = facts.recoveryLater?.includes(origin) === true
    return ensureWallet(context, { origin, isHidden, isRecoveryLater, passkey, signal })
  }
  const readKnown = () => ready?.catch(() => undefined)
  const getAddresses = async (signal: AbortSignal, passkey?: FirstPasskey) => {
    await requireUser()
    if (!ready) {
      isRecovered = false
      ready = prepare(signal, passkey)
    }
    const pending = ready
    const { addresses } = await pending.catch((error: unknown) => {
      if (pending === ready) ready = undefined
      throw error
    })
    await requireUser()
    if (pending !== ready) throw new LatchkeyError('SIGNED_OUT')
    return addresses
  }
  const followWallet = async () => {
    const pending = ready
    const known = await readKnown()
    if (!known) return
    // The server's report changes nothing here: the key worker knows which wallet this browser
    // uses.
    const status = await context.keys.do('getStatus', {})
    const isChecked = status.status === 'ready' || status.status === 'not-enrolled'
    if (!isChecked || pending !== ready) return
    if (status.addresses.eip155 === known.addresses.eip155) {
      const isLacking = known.lacksRecovery && !isRecovered
      if (!isLacking || status.status !== 'ready' || status.lacksRecovery) return
      isRecovered = true
      if (await hasConsent()) connection.emit('FRAME_RECOVERY', { isRecoverable: true })
      return
    }
    ready = undefined
    abort()
    if (await hasConsent()) connection.emit('FRAME_ACCOUNT', {})
  }
  return {
    followWallet,
    bindUser,
    requireUser,
    hasConsent,
    getSharedEmail: async () => (await readConsent()).email,
    grantConsent: async (shown) => {
      const { userId } = await requireUser()
      const consent = shown.withEmail ? withEmail(userId) : withoutEmail(userId)
      await store.put(consentKey(origin), consent)
    },
    takeTrust,
    revokeConsent: () => {
      isTrusted = false
      return store.delete(consentKey(origin))
    },
    getAddresses,
    lacksRecovery: async () => (await readKnown())?.lacksRecovery === true && !isRecovered,
    getSharedAddresses: async (signal) => {
      if (deviceId === undefined && !(await session.read())) return undefined
      return (await hasConsent()) ? getAddresses(signal) : undefined
    },
    getChain: (id, namespace) => {
      if (id !== undefined) return findFrameChain(chains, id)
      const found =
        namespace === undefined || current?.namespace === namespace
          ? current
          : chains.find((chain) => chain.namespace === namespace)
      if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      return found
    },
    setChain: (chain) => {
      current = chain
    },
    reset: () => {
      deviceId = undefined
      ready = undefined
    },
  }
}
