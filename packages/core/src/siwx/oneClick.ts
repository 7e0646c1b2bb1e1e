import type { Dapp } from '@latchkey/walletconnect'
import { type ChainId, isError, type Namespace, parseCaipAddress } from '@latchkey/wire'
import { parseSiwxMessage } from '@latchkey/wire/siwx'
import type { App } from '../app.ts'
import { namespaceFacts } from '../namespaces/namespaceFacts.ts'
import { signsIn } from './session.ts'
import { getSiwx } from './signIn.ts'

type SignInParameters = Parameters<Dapp['authenticate']>[0]

/** Signing in with the approval that connects (`wc_sessionAuthenticate`). */
export type OneClick = {
  /** What a wallet is asked to sign; undefined if it has to be asked after connecting. */
  prepare(): Promise<SignInParameters['payload'] | undefined>
  /** Keeps a sign-in. False if its signature is not valid. */
  verify: SignInParameters['verify']
  /** Takes back the sign-in of a CAIP-10 account. */
  revoke(account: string): Promise<void>
}

/** Milliseconds that a code waits for its nonce; after that, the account signs in after connecting. */
const patienceMs = 4_000

export function openOneClick(app: App): OneClick {
  const { environment, signal } = app
  return {
    async prepare() {
      const late = environment.sleep(patienceMs, signal).then(() => undefined)
      const chains = getChains(app)
      return chains && Promise.race([write(app, chains).catch(() => undefined), late])
    },
    async verify({ message, signature }) {
      const parsed = parseSiwxMessage(message)
      if ('fault' in parsed) return false
      const siwx = await getSiwx(app)
      // What else went wrong, such as a nonce that is too old, ends no session: the account is asked again.
      return siwx.addSession({ data: parsed.message, message, signature }).then(
        () => true,
        (error: unknown) => !(isError(error, 'HTTP_FAILED') && error.data.status === 401),
      )
    },
    async revoke(account) {
      const { chainId, address } = parseCaipAddress(account)
      await (await getSiwx(app)).revokeSession(chainId, address)
    },
  }
}

/** The networks to sign in on, if the protocol can word such a sign-in for each network of the app: its session has no others. */
function getChains(app: App): readonly ChainId[] | undefined {
  const { siwx } = app.config
  const { networks, activeChainId } = app.store.getState()
  const canSign = (namespace: Namespace) =>
    namespaceFacts[namespace].hasSiwe && signsIn(app, namespace)
  if (!(siwx?.oneClick ?? !siwx?.createMessage)) return undefined
  if (!networks.every(({ chainNamespace }) => canSign(chainNamespace))) return undefined
  return [...new Set([activeChainId, ...networks.map(({ caipNetworkId }) => caipNetworkId)])]
}

/** The message of an account that is not yet known. One whose text is the app's own cannot be asked for. */
async function write(app: App, chains: readonly ChainId[]) {
  const siwx = await getSiwx(app)
  const made = await siwx.createMessage({ accountAddress: '', chainId: chains[0] as ChainId })
  if (made.toString !== undefined && made.toString !== Object.prototype.toString) return undefined
  const { domain, uri, nonce, issuedAt, statement, expirationTime, notBefore } = made
  return {
    domain,
    aud: uri,
    nonce,
    iat: issuedAt,
    chains: [...chains],
    ...(statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { exp: expirationTime }),
    ...(notBefore !== undefined && { nbf: notBefore }),
    ...(made.requestId !== undefined && { requestId: made.requestId }),
    ...(made.resources && { resources: [...made.resources] }),
  }
}
