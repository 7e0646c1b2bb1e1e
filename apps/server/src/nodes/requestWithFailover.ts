import { type NodeRequest, requestUpstream, type UpstreamFault } from './requestUpstream.ts'
import type { Pool, Upstream, UpstreamRequest, UpstreamResult } from './upstream.ts'
import { recordOutcome, verify } from './upstreamHealth.ts'

/** The reason why no upstream of a chain answered. */
export type UpstreamFailure = {
  readonly fault: UpstreamFault | 'none'
  readonly retryAfterSeconds: number
}

/**
 * Sends a request to the upstreams in their order until one answers. A request with a `hedge` is
 * also sent to the next upstream if a response takes longer than usual, and the first good response
 * counts.
 */
export async function requestWithFailover<Answer extends object>(
  pool: Pool,
  upstreams: readonly Upstream[],
  question: UpstreamRequest<Answer>,
): Promise<{ readonly answer: Answer } | UpstreamFailure> {
  let fault: UpstreamFault | 'none' = 'none'
  let doubtful: Answer | undefined
  let rest = upstreams
  while (rest.length > 0 && fault !== 'busy') {
    const outcomes = await askNext(pool, rest, question)
    for (const outcome of outcomes) {
      if (typeof outcome === 'string') fault = outcome
      else if (isUsable(question, outcome)) return { answer: outcome }
      // Another node may have newer data. If none has, this response counts.
      else doubtful = outcome
    }
    rest = rest.slice(outcomes.length)
  }
  if (doubtful !== undefined) return { answer: doubtful }
  return { fault, retryAfterSeconds: Math.ceil(pool.limits.restMs / 1000) }
}

const isUsable = <Answer extends object>(
  { request }: Pick<UpstreamRequest<Answer>, 'request'>,
  outcome: UpstreamResult<Answer>,
): outcome is Answer => typeof outcome !== 'string' && !request.isInconclusive(outcome)

/**
 * The outcome of the first upstream, and of the second if the first took longer than nearly all
 * requests do.
 */
async function askNext<Answer extends object>(
  pool: Pool,
  [first, second]: readonly Upstream[],
  question: UpstreamRequest<Answer>,
): Promise<UpstreamResult<Answer>[]> {
  if (first === undefined) return []
  const { hedge } = question
  if (second === undefined || hedge === undefined) return [await requestOne(pool, first, question)]
  hedge.earn()
  const [stopFirst, stopSecond] = [new AbortController(), new AbortController()]
  const one = requestOne(pool, first, { ...question, signal: stopFirst.signal })
  if ((await within(one, hedge.delayMs())) !== undefined || !hedge.spend()) return [await one]
  const two = requestOne(pool, second, { ...question, signal: stopSecond.signal })
  const isGood = (outcome: UpstreamResult<Answer>) => isUsable(question, outcome)
  const leads = await Promise.race([
    one.then((outcome) => (isGood(outcome) ? 'first' : 'second')),
    two.then((outcome) => (isGood(outcome) ? 'second' : 'first')),
  ])
  const [leader, other] = leads === 'first' ? [one, two] : [two, one]
  const answer = await leader
  if (!isGood(answer)) return [answer, await other]
  const stopOther = leads === 'first' ? stopSecond : stopFirst
  stopOther.abort()
  if (leads === 'second')
    recordOutcome(pool, first, { fault: 'slow', isCostly: question.request.isCostly })
  return [answer]
}

/** Undefined if the work takes longer than `ms`. */
async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

async function requestOne<Answer extends object>(
  pool: Pool,
  upstream: Upstream,
  question: UpstreamRequest<Answer>,
): Promise<UpstreamResult<Answer>> {
  const startedAtMs = performance.now()
  const outcome = (await verify(pool, upstream)) ?? (await send(pool, upstream, question))
  if (question.signal?.aborted) return outcome
  const isFaulty = typeof outcome !== 'string' && !isUsable(question, outcome)
  const fault = typeof outcome === 'string' ? outcome : isFaulty ? 'nodeFault' : undefined
  if (fault === undefined) question.hedge?.noteMs(performance.now() - startedAtMs)
  recordOutcome(pool, upstream, { fault, isCostly: question.request.isCostly })
  return outcome
}

function send<Answer extends object>(
  { limits, responseMemory }: Pool,
  { url, batchLimit }: Upstream,
  { request, reservation, signal }: UpstreamRequest<Answer>,
): Promise<UpstreamResult<Answer>> {
  const sendOne = (part: NodeRequest<Answer>) =>
    requestUpstream(url, part, { ...limits, responseMemory, reservation, signal })
  return request.sendSplit?.({ limit: batchLimit, send: sendOne }) ?? sendOne(request)
}
