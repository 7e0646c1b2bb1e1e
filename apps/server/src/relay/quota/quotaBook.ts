import type { RelayConfig } from '../relayConfig.ts'
import { createQuotas, type Quota } from './quota.ts'

/** The quotas of everybody on this process. */
export type QuotaBook = ReturnType<typeof createQuotaBook>

type Who = { readonly client: string; readonly address: string; readonly project: string }

/** Keeps what each client, address and project may use and does use. */
export function createQuotaBook(parameters: {
  readonly now: () => number
  readonly limits: Pick<RelayConfig, 'rate' | 'client' | 'address' | 'project'>
}) {
  const { now, limits } = parameters
  const kindOf = ({ rateFactor, ...rest }: RelayConfig['client']) => {
    const { capacity, refillPerSecond } = limits.rate
    const rate = { capacity: capacity * rateFactor, refillPerSecond: refillPerSecond * rateFactor }
    return createQuotas({ now, limits: { rate, ...rest } })
  }
  const kinds = {
    client: kindOf(limits.client),
    address: kindOf(limits.address),
    project: kindOf(limits.project),
  }
  const seated = new Map<string, readonly Quota[]>()
  return {
    of: ({ client, address, project }: Who): readonly Quota[] => [
      kinds.client.of(client),
      kinds.address.of(address),
      kinds.project.of(project),
    ],
    enter(client: string, quotas: readonly Quota[]): void {
      seated.set(client, quotas)
      for (const quota of quotas) quota.sockets++
    },
    leave(quotas: readonly Quota[]): void {
      for (const quota of quotas) quota.sockets--
    },
    /** Those of the socket that a client opened last. */
    ofClient: (client: string): readonly Quota[] => seated.get(client) ?? [],
    sweep(): void {
      // Not before: what it sent last may still be under way.
      for (const [client, [own]] of seated)
        if (own?.sockets === 0 && own.bytes === 0) seated.delete(client)
      for (const kind of Object.values(kinds)) kind.sweep()
    },
  }
}
