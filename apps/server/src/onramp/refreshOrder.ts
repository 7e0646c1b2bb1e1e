import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { applyReport, markArrived } from './advanceOrder.ts'
import { postponeAsk } from './dueOrders.ts'
import { findOrder, type StoredOrder } from './orderStore.ts'
import type { OnrampProvider } from './provider.ts'
import { readArrival } from './readArrival.ts'

export type OrderSources = Pick<Services, 'db' | 'kv' | 'clock' | 'log'> & {
  readonly providers: ReadonlyMap<string, OnrampProvider>
  readonly upstreams: Upstreams
}

/**
 * At most one request in 2 seconds to an order's provider and chain, regardless of how many clients
 * follow it.
 */
const lookBucket = { capacity: 1, refillPerSecond: 0.5 }

/** How long an unpaid checkout stays open. */
const openMs = 3 * 3_600_000

const isOpen = ({ status }: StoredOrder) => status !== 'arrived'
const isSent = ({ status }: StoredOrder) => status === 'sent'
const isUnpaid = ({ status }: Pick<StoredOrder, 'status'>) =>
  status === 'created' || status === 'declined'
/** Whether the time to pay has ended. A later payment is still detected through a later report. */
const isStale = ({ clock }: OrderSources, { createdAt }: StoredOrder) =>
  clock() - createdAt.getTime() > openMs

/**
 * The current state of an order: polls its provider, if that does not report on its own, and the
 * chain.
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
 * An order stays open until its provider has reported that it was not paid, because an order
 * without a response may have been paid.
 */
async function askProvider(
  sources: OrderSources,
  provider: OnrampProvider,
  order: StoredOrder,
): Promise<StoredOrder> {
  const answer = await provider.readReport?.(order)
  if (answer === undefined) return order
  const isExpired = (answer === 'none' || isUnpaid(answer)) && isStale(sources, order)
  const expired = { status: 'expired', at: new Date(sources.clock()) } as const
  const report = isExpired ? expired : answer
  if (report !== 'none')
    await applyReport(sources, { id: order.id, provider: order.provider, report })
  await postponeAsk(sources, order.id)
  return (await findOrder(sources, order.id)) ?? order
}
