/** A result or a promise of it. Awaiting costs time, even if the result is already available. */
export type Awaitable<Result> = Result | Promise<Result>

/**
 * Continues with the result: synchronously if it is available, otherwise when the promise resolves.
 */
export const whenReady = <Result, Next>(
  result: Awaitable<Result>,
  next: (result: Result) => Awaitable<Next>,
): Awaitable<Next> => (result instanceof Promise ? result.then(next) : next(result))

/** The result, or what `recover` returns if waiting for it fails. */
export const recoverFrom = <Result>(
  result: Awaitable<Result>,
  recover: (error: unknown) => Result,
): Awaitable<Result> => (result instanceof Promise ? result.catch(recover) : result)
