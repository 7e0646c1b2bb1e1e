import { type Namespace, namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { activeConnection, type Connected, isConnected, type State } from '../state.ts'
import type { Siwx, SiwxConfig, SiwxSession } from './siwx.ts'

/** The sign-in settings of an app; undefined if it has no sign-in. */
export const getSiwxConfig = ({
  config: { siwx, siwe },
}: {
  readonly config: Pick<App['config'], 'siwx' | 'siwe'>
}): Omit<SiwxConfig, keyof Siwx> | undefined =>
  siwx ??
  (siwe && siwe.enabled !== false
    ? {
        ...siwe,
        per: siwe.signOutOnNetworkChange ? 'network' : 'namespace',
        namespaces: namespaces.filter((namespace) => namespaceMetadata[namespace].hasSiwe),
      }
    : undefined)

/** Whether accounts of a namespace sign in. */
export function signsIn(app: App, namespace: Namespace): boolean {
  const config = getSiwxConfig(app)
  return config !== undefined && config.namespaces?.includes(namespace) !== false
}

/** Whether accounts have to sign in. */
export function isSignInRequired(app: App): boolean {
  const config = getSiwxConfig(app)
  return config !== undefined && config.required !== false
}

/**
 * The key that sign-ins share if they count for each other: their network or its namespace, and
 * their account.
 */
export function toSessionKey(
  app: App,
  { chainId, accountAddress }: { readonly chainId: string; readonly accountAddress: string },
): string {
  const namespace = chainId.split(':')[0] as Namespace
  const where = getSiwxConfig(app)?.per === 'network' ? chainId : namespace
  return `${where}:${namespaceMetadata[namespace]?.getAddressKey(accountAddress)}`
}

/** The key of a connection's sign-in in the state. */
export const getSessionKey = (app: App, { chainId, account }: Connected): string =>
  toSessionKey(app, { chainId, accountAddress: account.address })

/**
 * The first session that is for this account and counts on its network. An app's functions may
 * return anything.
 */
export const findSiwxSession = (
  app: App,
  connection: Connected,
  sessions: readonly SiwxSession[],
): SiwxSession | undefined =>
  sessions.find(({ data }) => toSessionKey(app, data) === getSessionKey(app, connection))

/**
 * The sign-in of the selected network's account: null if not signed in, undefined while unknown.
 */
export function getSession(app: App, state: State): SiwxSession | null | undefined {
  const connection = activeConnection(state)
  if (!isConnected(connection) || !signsIn(app, connection.account.namespace)) return null
  return state.sessions[getSessionKey(app, connection)]
}
