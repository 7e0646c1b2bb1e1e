import { namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { namespaceFacts } from '../namespaces/namespaceFacts.ts'
import { activeConnection, type Connected, isConnected, type State } from '../state.ts'
import type { SiweConfig } from './siweConfig.ts'
import type { Siwx, SiwxConfig, SiwxSession } from './siwx.ts'

/** The settings of an app that signs in; undefined if it does not. */
export const getSiwxConfig = ({
  config: { siwx, siweConfig },
}: {
  readonly config: { readonly siwx?: SiwxConfig; readonly siweConfig?: SiweConfig }
}): Omit<SiwxConfig, keyof Siwx> | undefined =>
  siwx ??
  (siweConfig && {
    ...siweConfig,
    namespaces: namespaces.filter((namespace) => namespaceFacts[namespace].hasSiwe),
  })

/** Whether accounts have to sign in. */
export const isSignInRequired = (app: App): boolean => getSiwxConfig(app)?.required !== false

/** The key of a connection's sign-in in the state: of its network or its namespace. */
export function getSessionKey(app: App, { chainId, account }: Connected): string {
  const { namespace, address } = account
  const where = getSiwxConfig(app)?.per === 'network' ? chainId : namespace
  return `${where}:${namespaceFacts[namespace].getAddressKey(address)}`
}

/** The sign-in of the selected network's account: null if there is none, undefined while that is not known. */
export function getSession(app: App, state: State): SiwxSession | null | undefined {
  const connection = activeConnection(state)
  return isConnected(connection) ? state.sessions[getSessionKey(app, connection)] : null
}
