import type { RelayConfig } from '../relayConfig.ts'
import { createQuotas, type Quota } from './quota.ts'

/** All quotas on this process. */
export type QuotaBook = ReturnType<typeof createQuotaBook>

type Who = { readonly client: string; readonly address: string; readonly project: string }

/** Tracks the limits and the usage of each client, address and project. */
export function createQuotaBook(parameters: {
  readonly now: () => number
  readonly limits: Pick<RelayConfig, 'rate' | 'client' | 'address' | 'project'>
}) {
  const { now, limits } = parameters
  const createKind = ({ rateFactor, ...rest }: RelayConfig['client']) => {
    const { capacity, refillPerSecond } = limits.rate
    const rate = { capacity: capacity * rateFactor, refillPerSecond: refillPerSecond * rateFactor }
    return createQuotas({ now, limits: { rate, ...rest } })
  }
  const kinds = {
    client: createKind(limits.client),
    address: createKind(limits.address),
    project: createKind(limits.project),
  }
  const clients = new Map<string, readonly Quota[]>()
  return {
    get: ({ client, address, project }: Who): readonly Quota[] => [
      kinds.client.get(client),
      kinds.address.get(address),
      kinds.project.get(project),
    ],
    enter(client: string, quotas: readonly Quota[]): void {
      clients.set(client, quotas)
      for (const quota of quotas) quota.sockets++
    },
    leave(quotas: readonly Quota[]): void {
      for (const quota of quotas) quota.sockets--
    },
    /** The quotas of the socket that a client opened last. */
    getClientQuotas: (client: string): readonly Quota[] => clients.get(client) ?? [],
    sweep(): void {
      // Do not drop it earlier: the last frames may still be in progress.
      for (const [client, [own]] of clients)
        if (own?.sockets === 0 && own.bytes === 0) clients.delete(client)
      for (const kind of Object.values(kinds)) kind.sweep()
    },
  }
}
