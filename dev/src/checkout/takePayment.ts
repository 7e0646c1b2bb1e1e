import { setTimeout } from 'node:timers/promises'
import type { Sold } from './listSold.ts'
import { type Nodes, payOut } from './payOut.ts'
import type { Price } from './priceOrder.ts'
import { type OrderReport, reportOrder } from './reportOrder.ts'

/** The cards that a buyer can pay with, and their outcomes. */
export const cards = {
  paid: { number: '4111 1111 1111 1111', what: 'is paid at once' },
  secure: { number: '4111 1111 1111 3333', what: 'asks at the bank first (3-D Secure)' },
  slow: { number: '4111 1111 1111 5555', what: 'takes ten seconds' },
  declined: { number: '4111 1111 1111 0000', what: 'is declined' },
  undelivered: { number: '4111 1111 1111 9999', what: 'is paid, but nothing can be sent' },
} as const
type Card = keyof typeof cards

/** A buyer's action on the pages of the checkout. */
export type Act = Card | 'confirm' | 'refuse' | 'cancel'

export type Order = {
  readonly id: string
  readonly to: string
  readonly sold: Sold
  readonly price: Price
}

/**
 * State of an order: open for payment, waiting for the bank's confirmation, or finished for the
 * buyer.
 */
export type OrderState = 'open' | 'asked' | 'declined' | 'refused' | 'cancelled' | 'slow' | 'paid'

/** The parties of a payment. */
export type Desk = {
  readonly nodes: Nodes
  readonly webhookUrl: string
  readonly secret: Uint8Array
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

const slowMs = 10_000
const maxOrders = 1_000

/**
 * Keeps the state of orders, and pays, sends and reports by the card that was chosen. An order is
 * paid once.
 */
export function createTill(desk: Desk) {
  const states = new Map<string, OrderState>()
  const getState = (id: string): OrderState => states.get(id) ?? 'open'
  const tell = (report: OrderReport) => reportOrder({ ...desk, report })
  const decline = (reason: OrderReport['reason']) => (order: Order) =>
    tell({ orderId: order.id, status: 'declined', ...(reason && { reason }) })

  async function deliver({ id, to, sold, price }: Order) {
    await tell({ orderId: id, status: 'paid' })
    const transactionHash = await payOut(desk.nodes, { sold, to, units: price.units })
    await tell({ orderId: id, status: 'sent', transactionHash })
  }
  async function deliverNothing({ id }: Order) {
    await tell({ orderId: id, status: 'paid' })
    await tell({ orderId: id, status: 'failed' })
  }
  async function deliverLater(order: Order) {
    await setTimeout(slowMs, undefined, { signal: desk.signal })
    await deliver(order)
  }
  const outcomes: Record<Act, { state: OrderState; work?: (order: Order) => Promise<void> }> = {
    paid: { state: 'paid', work: deliver },
    secure: { state: 'asked' },
    confirm: { state: 'paid', work: deliver },
    refuse: { state: 'refused', work: decline('authentication') },
    slow: { state: 'slow', work: deliverLater },
    declined: { state: 'declined', work: decline('card') },
    undelivered: { state: 'paid', work: deliverNothing },
    cancel: { state: 'cancelled', work: decline('cancelled') },
  }

  return {
    getState,
    /** Applies the buyer's action and returns the new state of the order. */
    act(order: Order, act: Act): OrderState {
      const before = getState(order.id)
      if (before === 'paid' || before === 'slow') return before
      // A confirmation counts only if the bank has asked for it.
      if ((act === 'confirm' || act === 'refuse') && before !== 'asked') return before
      const { state, work } = outcomes[act]
      states.set(order.id, state)
      const [oldest] = states.keys()
      if (states.size > maxOrders && oldest !== undefined) states.delete(oldest)
      work?.(order).catch((error) => {
        if (!desk.signal.aborted) desk.log(`Checkout: ${error.message}`)
      })
      return state
    },
  }
}
export type Till = ReturnType<typeof createTill>
