import type { App } from '@latchkey/core'
import type { QueryClient } from '@tanstack/react-query'

/** The query clients that apps have passed to the provider. */
export const ownClients = new WeakMap<App, QueryClient>()
