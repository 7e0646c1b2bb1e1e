import type { Connection, State } from '../state.ts'

/** The current attempt to connect by a connector, in any namespace. */
export const getPendingConnection = (
  state: State,
  connectorId: string,
): Extract<Connection, { status: 'connecting' }> | undefined =>
  Object.values(state.connections).find(
    (connection) => connection.status === 'connecting' && connection.connectorId === connectorId,
  ) as Extract<Connection, { status: 'connecting' }> | undefined
