import { type ChainId, isError, parseCaipAddress, parseChainId } from '@latchkey/wire'
import { parseSiwxMessage, type SiwxMessage } from '@latchkey/wire/siwx'
import type { App } from '../app.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { signsIn } from './session.ts'
import { getSiwx } from './signIn.ts'
import type { OneClick, SessionPayload } from './siwx.ts'

/** How long connecting waits for the nonce; after that, the account signs in after connecting. */
const patienceMs = 4_000

export function openOneClick(app: App): OneClick {
  const prepareMessage = async (chainId: ChainId) => {
    const { siwx } = app.config
    const { namespace } = parseChainId(chainId)
    if (!(siwx?.oneClick ?? !siwx?.createMessage) || !signsIn(app, namespace)) return undefined
    const late = app.environment.sleep(patienceMs, app.signal).then(() => undefined)
    return Promise.race([write(app, chainId).catch(() => undefined), late])
  }
  return {
    prepareMessage,
    async prepareSession() {
      const [first, ...others] = getChains(app)
      const message = first && (await prepareMessage(first))
      return message && toPayload(message, [first, ...others])
    },
    async verify({ message, signature }) {
      const parsed = parseSiwxMessage(message)
      if ('fault' in parsed) return false
      const siwx = await getSiwx(app)
      // Other errors, such as an expired nonce, end no session: the account is prompted again.
      return siwx.addSession({ data: parsed.message, message, signature }).then(
        () => {
          app.store.setState({ sessions: {} })
          return true
        },
        (error: unknown) => !(isError(error, 'HTTP_FAILED') && error.data.status === 401),
      )
    },
    async revoke(account) {
      const { chainId, address } = parseCaipAddress(account)
      await (await getSiwx(app)).revokeSession(chainId, address)
    },
  }
}

/**
 * The networks of a session with a sign-in. Empty unless the protocol supports all of the app's
 * networks, because the session would not include the others.
 */
function getChains(app: App): readonly ChainId[] {
  const { networks, activeChainId } = app.store.getState()
  if (!networks.every(({ chainNamespace }) => namespaceMetadata[chainNamespace].hasSiwe)) return []
  return [...new Set([activeChainId, ...networks.map(({ caipNetworkId }) => caipNetworkId)])]
}

/**
 * The message of an account that is not yet known. A message that the app formats itself cannot be
 * requested.
 */
async function write(app: App, chainId: ChainId): Promise<SiwxMessage | undefined> {
  const siwx = await getSiwx(app)
  const { toString: toText, ...message } = await siwx.createMessage({ accountAddress: '', chainId })
  return toText === undefined || toText === Object.prototype.toString ? message : undefined
}

function toPayload(message: SiwxMessage, chains: readonly ChainId[]): SessionPayload {
  const { domain, uri, nonce, issuedAt, statement, expirationTime, notBefore } = message
  return {
    domain,
    aud: uri,
    nonce,
    iat: issuedAt,
    chains: [...chains],
    ...(statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { exp: expirationTime }),
    ...(notBefore !== undefined && { nbf: notBefore }),
    ...(message.requestId !== undefined && { requestId: message.requestId }),
    ...(message.resources && { resources: [...message.resources] }),
  }
}
