/** The state of an app on a server that renders its pages, also for server components. */
export * from '@latchkey/core/ssr'
