import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { applyReport, markArrived } from './advanceOrder.ts'
import { postponeAsk } from './dueOrders.ts'
import { findOrder, type StoredOrder } from './orderStore.ts'
import type { Provider } from './provider.ts'
import { readArrival } from './readArrival.ts'

export type OrderSources = Pick<Services, 'db' | 'kv' | 'clock' | 'log'> & {
  readonly providers: ReadonlyMap<string, Provider>
  readonly upstreams: Upstreams
}

/** However many look at an order, its provider and its chain are asked once in 2 seconds. */
const lookBucket = { capacity: 1, refillPerSecond: 0.5 }

/** How long a checkout that nobody pays stays open. */
const openMs = 3 * 3_600_000

const isOpen = ({ status }: StoredOrder) => status !== 'arrived'
const isSent = ({ status }: StoredOrder) => status === 'sent'
const isUnpaid = ({ status }: Pick<StoredOrder, 'status'>) =>
  status === 'created' || status === 'declined'
/** Whether the time to pay is over. Whoever pays nevertheless is known by a later report. */
const isStale = ({ clock }: OrderSources, { createdAt }: StoredOrder) =>
  clock() - createdAt.getTime() > openMs

/**
 * The order as it stands now: asks its provider, if that reports nothing by itself, and the chain.
 */
export async function refreshOrder(
  sources: OrderSources,
  order: StoredOrder,
): Promise<StoredOrder> {
  if (!isOpen(order)) return order
  const provider = sources.providers.get(order.provider)
  if (!provider?.readReport && isUnpaid(order) && isStale(sources, order))
    return { ...order, status: 'expired' }
  const { allowed } = await sources.kv.take(`onramp:order:${order.id}`, lookBucket)
  if (!allowed) return order
  const reported = provider && !isSent(order) ? await askProvider(sources, provider, order) : order
  if (!isSent(reported)) return reported
  const received = await readArrival(sources.upstreams, reported)
  const { id, transactionHash } = reported
  if (received === undefined || transactionHash === undefined) return reported
  await markArrived(sources, { id, transactionHash, received })
  return (await findOrder(sources, id)) ?? reported
}

/**
 * An order is open until its provider has said that nobody paid: one that does not answer may have
 * been paid.
 */
async function askProvider(
  sources: OrderSources,
  provider: Provider,
  order: StoredOrder,
): Promise<StoredOrder> {
  const answer = await provider.readReport?.(order)
  if (answer === undefined) return order
  const isOver = (answer === 'none' || isUnpaid(answer)) && isStale(sources, order)
  const expired = { status: 'expired', at: new Date(sources.clock()) } as const
  const report = isOver ? expired : answer
  if (report !== 'none')
    await applyReport(sources, { id: order.id, provider: order.provider, report })
  await postponeAsk(sources, order.id)
  return (await findOrder(sources, order.id)) ?? order
}
