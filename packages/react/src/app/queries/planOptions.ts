/** How long a prepared plan is valid in ms: fees change with each block. */
const PLAN_LIFETIME_MS = 15_000

/**
 * The options of queries that prepare a plan for the user's approval. They are not retried, because
 * their errors are for the user to fix.
 */
export const planOptions = {
  staleTime: PLAN_LIFETIME_MS,
  gcTime: 0,
  refetchInterval: PLAN_LIFETIME_MS,
  // A plan contains a function, so it cannot be merged with the previous plan.
  structuralSharing: false,
  retry: false,
  refetchOnWindowFocus: false,
} as const
