import type { ActivityEvent, ChainId } from '@latchkey/wire'

/** News of the connected account: its data changed, or the server's search progressed. */
export type ActivityNews = ActivityEvent & { readonly chainId: ChainId; readonly address: string }

/** The next `changed` waits until the returned promise settles. */
export type ActivityListener = (news: ActivityNews) => unknown
