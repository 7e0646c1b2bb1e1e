import { AsyncLocalStorage } from 'node:async_hooks'

const clients = new AsyncLocalStorage<string>()

/**
 * Runs work for a client (an address), so that shared resources, for example database connections,
 * can give each client a share.
 */
export const runForClient = <Result>(client: string, work: () => Result): Result =>
  clients.run(client, work)

/** The client for which the current work runs. Undefined for the server's own work. */
export const getCurrentClient = (): string | undefined => clients.getStore()
