import type { OnrampOrder, OrderStatus } from '@latchkey/wire'

const finalStatuses: readonly OrderStatus[] = ['arrived', 'expired', 'failed']

/** Whether the state of an order is final. */
export const isOrderOver = ({ status }: Pick<OnrampOrder, 'status'>): boolean =>
  finalStatuses.includes(status)
