import type { ActivityEvent } from '@latchkey/wire'

/** News of the connected account: read it again, or how far the server has searched its past. */
export type ActivityNews = ActivityEvent & { readonly address: string }

/** The next `changed` waits until the returned promise settles. */
export type ActivityListener = (news: ActivityNews) => unknown
