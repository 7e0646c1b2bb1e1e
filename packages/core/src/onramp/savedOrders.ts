import { type ChainId, canParseUrl, parseChainId } from '@latchkey/wire'
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
 * An unfinished order of this browser. Anyone who has its id can follow it; `url` is its checkout.
 */
export type SavedOrder = {
  id: string
  url: string
  chainId: ChainId
  address: string
  createdAtMs: number
}

const maxOrders = 10
/** How long the server keeps an unpaid order. */
const lifetimeMs = 7 * 24 * 3_600_000

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
      ({ url, createdAtMs }) => isCheckoutUrl(url) && createdAtMs > environment.now() - lifetimeMs,
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
  }
}

/** The unfinished orders of this browser for an account on a network, newest first. */
export const getSavedOrders = (
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): readonly SavedOrder[] =>
  readAll(app).filter(
    (order) =>
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

/** Removes a completed order. */
export const forgetOrder = (app: App, { id }: { id: string }): void =>
  app.storage.set(
    'onrampOrders',
    readAll(app).filter((order) => order.id !== id),
  )
