import type { ActivityEvent } from '@latchkey/wire'

/** What is told of the connected account: look again, or how far the server's looking has come. */
export type ActivityNews = ActivityEvent & { readonly address: string }

/** What it returns is waited for before the next `changed` is told. */
export type ActivityListener = (news: ActivityNews) => unknown
