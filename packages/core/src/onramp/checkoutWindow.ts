import type { App } from '../app.ts'

/** The part of a provider's window that is used. */
export type CheckoutWindow = {
  readonly closed: boolean
  opener: unknown
  readonly location: { href: string }
  close(): void
}

const features = 'popup,width=480,height=760'

/**
 * Opens the window of a checkout, still empty. Call it in the click, because browsers allow it only
 * there. Undefined if the browser blocked it.
 */
export const openCheckoutWindow = ({ environment: { page } }: App): CheckoutWindow | undefined =>
  (page?.open('about:blank', '_blank', features) as CheckoutWindow | null) ?? undefined
