import type { App } from '../app.ts'

/** What is used of a provider's window. */
export type SocialWindow = {
  readonly closed: boolean
  readonly location: { href: string }
  close(): void
}

const features = 'popup,width=480,height=720'

/** Opens the window of a login. Call it in the click: a browser allows it there alone. Undefined if the browser did not. */
export const openSocialWindow = ({ environment: { page } }: App): SocialWindow | undefined =>
  (page?.open('about:blank', 'latchkey-social', features) as SocialWindow | null) ?? undefined
