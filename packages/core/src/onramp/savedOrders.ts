import {
  type ChainId,
  canParseUrl,
  type HistoryTransaction,
  type OnrampOrder,
  parseChainId,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { isSameAddress } from '../namespaces/namespaceMetadata.ts'
import {
  fields,
  number,
  type Read,
  chainId as readChainId,
  storedList,
  storedText,
} from '../storageSchema.ts'

/**
 * An order of this browser that is unfinished, or that was paid and `failed`. Anyone who has its id
 * can follow it; `url` is its checkout.
 */
export type SavedOrder = {
  id: string
  url: string
  chainId: ChainId
  address: string
  createdAtMs: number
  failed?: FailedOrder | undefined
}

/** The facts of an order that only its buyer knows, with the server's time of its creation. */
type FailedOrder = Pick<OnrampOrder, 'createdAt' | 'paymentAmount' | 'paymentCurrency'>

const maxOrders = 10
/** How long the server keeps an unpaid order. */
const lifetimeMs = 7 * 24 * 3_600_000
/** A refund needs the order's number. */
const failedLifetimeMs = 365 * 24 * 3_600_000

/**
 * Whether a checkout URL of a third party is safe to open: https, or http on this machine. Never a
 * script.
 */
export function isCheckoutUrl(text: string): boolean {
  if (!canParseUrl(text)) return false
  const { protocol, hostname } = new URL(text)
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

function readAll({ storage, environment }: App): SavedOrder[] {
  try {
    return storedList(readOrder)(storage.get('onrampOrders') ?? []).filter(
      ({ url, createdAtMs, failed }) =>
        isCheckoutUrl(url) &&
        createdAtMs > environment.now() - (failed ? failedLifetimeMs : lifetimeMs),
    )
  } catch {
    // The entry is corrupt, so it counts as empty.
    return []
  }
}

const readOrder: Read<SavedOrder> = (value) => {
  const order = fields(value)
  return {
    id: storedText(order.id),
    url: storedText(order.url),
    chainId: readChainId(order.chainId),
    address: storedText(order.address),
    createdAtMs: number(order.createdAtMs),
    failed: order.failed === undefined ? undefined : readFailed(order.failed),
  }
}

const readFailed: Read<FailedOrder> = (value) => {
  const { createdAt, paymentAmount, paymentCurrency } = fields(value)
  return {
    createdAt: storedText(createdAt),
    paymentAmount: paymentAmount === null ? null : storedText(paymentAmount),
    paymentCurrency: storedText(paymentCurrency),
  }
}

/** The unfinished orders of this browser for an account on a network, newest first. */
export const getSavedOrders = (
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): readonly SavedOrder[] =>
  readAll(app).filter(
    (order) =>
      order.failed === undefined &&
      order.chainId === chainId &&
      isSameAddress({
        namespace: parseChainId(chainId).namespace,
        one: order.address,
        other: address,
      }),
  )

/** The saved order with this id; undefined if the browser does not have it. */
export const findSavedOrder = (app: App, { id }: { id: string }): SavedOrder | undefined =>
  readAll(app).find((order) => order.id === id)

/** Saves an order for `getSavedOrders`. The oldest orders beyond the limit are dropped. */
export const saveOrder = (app: App, order: SavedOrder): void =>
  app.storage.set('onrampOrders', [order, ...readAll(app)].slice(0, maxOrders))

/** Keeps the facts of an order that was paid and not delivered. */
export const keepFailedOrder = (app: App, { id, ...order }: OnrampOrder): void => {
  const { createdAt, paymentAmount, paymentCurrency } = order
  const failed = { createdAt, paymentAmount, paymentCurrency }
  app.storage.set(
    'onrampOrders',
    readAll(app).map((one) => (one.id === id ? { ...one, failed } : one)),
  )
}

/** The failed order of this browser that a purchase in the activity shows. */
export const findFailedOrder = (
  app: App,
  { metadata: { status, operationType, minedAt, chain } }: HistoryTransaction,
): (SavedOrder & { failed: FailedOrder }) | undefined => {
  if (status !== 'failed' || operationType !== 'bought') return undefined
  return readAll(app).flatMap(({ failed, ...order }) =>
    failed?.createdAt === minedAt && order.chainId === chain ? [{ ...order, failed }] : [],
  )[0]
}

/** Removes a completed order. */
export const forgetOrder = (app: App, { id }: { id: string }): void =>
  app.storage.set(
    'onrampOrders',
    readAll(app).filter((order) => order.id !== id),
  )
