/**
 * A result that is there already, or will be. Waiting costs time, also for a result that is there.
 */
export type Awaitable<Result> = Result | Promise<Result>

/** Continues with the result: at once if it is there, otherwise when it is. */
export const whenReady = <Result, Next>(
  result: Awaitable<Result>,
  next: (result: Result) => Awaitable<Next>,
): Awaitable<Next> => (result instanceof Promise ? result.then(next) : next(result))

/** The result, or what `recover` returns if waiting for it fails. */
export const recoverFrom = <Result>(
  result: Awaitable<Result>,
  recover: (error: unknown) => Result,
): Awaitable<Result> => (result instanceof Promise ? result.catch(recover) : result)
