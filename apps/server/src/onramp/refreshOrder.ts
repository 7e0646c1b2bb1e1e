import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { applyReport, findOrder, markArrived, type StoredOrder } from './orderStore.ts'
import type { Provider } from './provider.ts'
import { readArrival } from './readArrival.ts'

export type OrderSources = Pick<Services, 'db' | 'kv' | 'clock' | 'log'> & {
  readonly providers: ReadonlyMap<string, Provider>
  readonly upstreams: Upstreams
}

/** However many look at an order, its provider and its chain are asked once in 2 seconds. */
const lookBucket = { capacity: 1, refillPerSecond: 0.5 }

const isOpen = ({ status }: StoredOrder) => status !== 'arrived'
const isSent = ({ status }: StoredOrder) => status === 'sent'

/** The order as it stands now: asks its provider, if that reports nothing by itself, and the chain. */
export async function refreshOrder(
  sources: OrderSources,
  order: StoredOrder,
): Promise<StoredOrder> {
  if (!isOpen(order)) return order
  const { allowed } = await sources.kv.take(`onramp:order:${order.id}`, lookBucket)
  if (!allowed) return order
  const reported = await askProvider(sources, order)
  if (!isSent(reported)) return reported
  const received = await readArrival(sources.upstreams, reported)
  const { id, transactionHash } = reported
  if (received === undefined || transactionHash === undefined) return reported
  await markArrived(sources, { id, transactionHash, received })
  return (await findOrder(sources, id)) ?? reported
}

async function askProvider(sources: OrderSources, order: StoredOrder): Promise<StoredOrder> {
  const provider = sources.providers.get(order.provider)
  if (isSent(order) || provider?.readReport === undefined) return order
  const report = await provider.readReport(order)
  if (report === undefined) return order
  await applyReport(sources, { id: order.id, provider: order.provider, report })
  return (await findOrder(sources, order.id)) ?? order
}
