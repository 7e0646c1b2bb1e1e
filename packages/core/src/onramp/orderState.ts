import type { OnrampOrder, OrderStatus } from '@latchkey/wire'

const finalStatuses: readonly OrderStatus[] = ['arrived', 'expired', 'failed']

/** Whether nothing more will become of an order by itself. */
export const isOrderOver = ({ status }: Pick<OnrampOrder, 'status'>): boolean =>
  finalStatuses.includes(status)
