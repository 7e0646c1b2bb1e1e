import { LatchkeyError } from '@latchkey/wire'
import { answerConnect, readConnectRequest } from '@latchkey/wire/siwx'
import type { App } from '../../../app.ts'
import { request } from '../../../connection/requests/request.ts'
import { requestAccounts } from './answerUnconnected.ts'
import { getAddresses, getProviderConnection } from './providerState.ts'

/**
 * Handles wallet_connect (ERC-7846) for every wallet: opens the modal if no wallet is connected,
 * and has the message of `signInWithEthereum` signed with `personal_sign`. Throws USER_REJECTED,
 * CONNECTION_CHANGED, and the errors of `readConnectRequest`.
 */
export async function connectProvider(app: App, params: unknown): Promise<object> {
  const asked = readConnectRequest(params)
  const { store, environment } = app
  if (!getProviderConnection(store.getState())) await requestAccounts(app)
  const connection = getProviderConnection(store.getState())
  if (!connection) throw new LatchkeyError('USER_REJECTED')
  const { chainId } = connection
  const answer = await answerConnect(asked, {
    accounts: getAddresses(connection),
    href: environment.page?.location.href,
    nowMs: environment.now(),
    sign: (signed) => request(app, { method: 'personal_sign', params: signed, chainId }),
  })
  const now = getProviderConnection(store.getState())
  if (now?.account.address !== connection.account.address)
    throw new LatchkeyError('CONNECTION_CHANGED')
  return answer
}
