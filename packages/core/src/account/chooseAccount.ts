import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { commitConnection } from '../connection/commitConnection.ts'
import type { Connector } from '../connection/connectors/connector.ts'
import { isConnected } from '../state.ts'

/**
 * Whether a wallet supports choosing other accounts, by default the wallet that is connected in a
 * namespace. Never prompts.
 */
export async function canChooseAccount(
  app: App,
  { namespace, connectorId }: { namespace: Namespace; connectorId?: string },
): Promise<boolean> {
  const found =
    connectorId === undefined ? findConnector(app, namespace) : app.connectors.get(connectorId)
  const connector = await load(found)
  return (await connector?.accountChoice?.isOffered()) ?? false
}

/**
 * Prompts the user to choose other accounts of the wallet that is connected in a namespace, and
 * connects those. Call it in a click. Throws NOT_CONNECTED, UNSUPPORTED_METHOD, USER_REJECTED,
 * REQUEST_PENDING, and CONNECTION_CHANGED if the wallet was disconnected meanwhile.
 */
export async function chooseAccount(
  app: App,
  { namespace }: { namespace: Namespace },
): Promise<void> {
  const found = findConnector(app, namespace)
  if (!found) throw new LatchkeyError('NOT_CONNECTED')
  const { accountChoice } = (await load(found)) ?? {}
  if (!accountChoice)
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'the choice of an account' } })
  const result = await accountChoice.ask()
  if (findConnector(app, namespace) !== found) throw new LatchkeyError('CONNECTION_CHANGED')
  if (!result) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  commitConnection(app, { connectorId: found.info.id, result, origin: 'approved' })
}

function findConnector(app: App, namespace: Namespace): Connector | undefined {
  const connection = app.store.getState().connections[namespace]
  return isConnected(connection) ? app.connectors.get(connection.connectorId) : undefined
}

const load = async (connector: Connector | undefined): Promise<Connector | undefined> =>
  connector?.load ? connector.load() : connector
