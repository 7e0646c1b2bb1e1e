import type { App } from './app.ts'
import { attempt } from './attempt.ts'

// Actions that load on demand, because many visits never use them. Each is documented at its
// implementation.

/** An action whose code is loaded at its first call. It throws only LatchkeyErrors. */
const lazyAction =
  <Parameters extends readonly unknown[], Result>(
    load: () => Promise<(app: App, ...parameters: Parameters) => Promise<Result>>,
  ) =>
  (app: App, ...parameters: Parameters): Promise<Result> =>
    attempt(async () => (await load())(app, ...parameters))

const account = () => import('./account/getBalances.ts')
const addedTokens = () => import('./embedded/addedTokens.ts')
const activity = () => import('./activity/getHistory.ts')
const login = () => import('./embedded/login/loginEmail.ts')
const names = () => import('./names/registerName.ts')
const nfts = () => import('./nfts/getNfts.ts')
const siwx = () => import('./siwx/signIn.ts')
const signIns = () => import('./siwx/signIns.ts')
const leaveSiwx = () => import('./siwx/signOut.ts')
const areas = () => import('./server/getAreas.ts')

export const confirmDevice = lazyAction(async () => (await login()).confirmDevice)
export const confirmOtp = lazyAction(async () => (await login()).confirmOtp)
export const askFaucet = lazyAction(async () => (await import('./account/askFaucet.ts')).askFaucet)
export const getAreas = lazyAction(async () => (await areas()).getAreas)
export const getAddedTokens = lazyAction(async () => (await addedTokens()).getAddedTokens)
export const removeAddedToken = lazyAction(async () => (await addedTokens()).removeAddedToken)
export const getBalances = lazyAction(async () => (await account()).getBalances)
export const getHistory = lazyAction(async () => (await activity()).getHistory)
export const getIdentity = lazyAction(
  async () => (await import('./names/getIdentity.ts')).getIdentity,
)
export const getNft = lazyAction(async () => (await nfts()).getNft)
export const getNfts = lazyAction(async () => (await nfts()).getNfts)
export const loginEmail = lazyAction(async () => (await login()).loginEmail)
export const loginFarcaster = lazyAction(
  async () => (await import('./embedded/login/loginFarcaster.ts')).loginFarcaster,
)
export const loginPasskey = lazyAction(
  async () => (await import('./embedded/login/loginPasskey.ts')).loginPasskey,
)
export const loginSocial = lazyAction(
  async () => (await import('./embedded/login/loginSocial.ts')).loginSocial,
)
export const loginSocialInTab = lazyAction(
  async () => (await import('./embedded/login/loginSocial.ts')).loginSocialInTab,
)
export const cancelSignIn = lazyAction(async () => (await leaveSiwx()).cancelSignIn)
export const endSignIn = lazyAction(async () => (await signIns()).endSignIn)
export const getSignIns = lazyAction(async () => (await signIns()).getSignIns)
export const prepareReviewedSignIn = lazyAction(async () => (await siwx()).prepareReviewedSignIn)
export const prepareSignIn = lazyAction(async () => (await siwx()).prepareSignIn)
export const signOutSession = lazyAction(async () => (await leaveSiwx()).signOutSession)
export const changeName = lazyAction(async () => (await names()).changeName)
export const changeReviewedName = lazyAction(async () => (await names()).changeReviewedName)
export const getNames = lazyAction(async () => (await names()).getNames)
export const registerName = lazyAction(async () => (await names()).registerName)
export const registerReviewedName = lazyAction(async () => (await names()).registerReviewedName)
export const resendEmail = lazyAction(async () => (await login()).resendEmail)
export const resolveName = lazyAction(
  async () => (await import('./names/resolveName.ts')).resolveName,
)
export const suggestNames = lazyAction(
  async () => (await import('./names/suggestNames.ts')).suggestNames,
)
