import { getSmallerBatch, refusesBatch } from '@latchkey/wire'
import { isBatchError, type ParsedReply, type RpcReply } from './readReplies.ts'
import type { NodeRequest, Splitting, UpstreamFault } from './requestUpstream.ts'

type Reply = RpcReply | ParsedReply

/** How many batches a node gets at once. */
const batchesAtOnce = 4
/**
 * A batch with a larger body may have been refused for its bytes, which says nothing about its
 * number of calls.
 */
const maxBodyLength = 64 * 1024

/**
 * Sends calls in batches that the node accepts, and returns the replies in the order of the calls.
 * Calls of a batch that the node does not answer individually are sent again in smaller batches,
 * down to one call.
 */
export async function sendBatch<Call, Answer extends Reply>(
  calls: readonly Call[],
  create: (calls: readonly Call[]) => NodeRequest<readonly Answer[]>,
  { limit, send }: Splitting<readonly Answer[]>,
): Promise<readonly Answer[] | UpstreamFault> {
  const replies = new Array<Answer | undefined>(calls.length)
  let open = [...calls.keys()]
  let max = Math.min(limit.get(), calls.length)
  let atOnce = batchesAtOnce
  let isRefused = false
  while (open.length > 0) {
    const parts = split(open, max).slice(0, atOnce)
    const requests = parts.map((part) => create(part.map((index) => calls[index] as Call)))
    const outcomes = await Promise.all(requests.map(send))
    atOnce = batchesAtOnce
    for (const [place, part] of parts.entries()) {
      const outcome = outcomes[place] as readonly Answer[] | UpstreamFault
      const isBatch = part.length > 1
      if (typeof outcome === 'string' && !(isBatch && outcome === 'notJson')) return outcome
      const given = typeof outcome === 'string' ? [] : outcome
      const isAnswered = (reply: Answer | undefined) => reply && !(isBatch && reply.unanswered)
      for (const [at, index] of part.entries())
        if (isAnswered(given[at])) replies[index] = given[at]
      if (given.length > 0 && given.every(isAnswered)) continue
      // One batch alone shows whether the next size is small enough.
      atOnce = 1
      max = Math.min(max, getSmallerBatch(readReason(given), part.length))
      const isSmall = (requests[place]?.body?.length ?? 0) <= maxBodyLength
      isRefused ||= isSmall && !given.some(isAnswered)
    }
    open = open.filter((index) => replies[index] === undefined)
  }
  const complete = replies as Answer[]
  // If a call fails alone too, this call was refused and not the batch. Clients choose calls, and
  // must not slow the node for others.
  if (isRefused && !complete.some((reply) => reply.unanswered || isBatchError(reply)))
    limit.lower(max)
  return complete
}

const split = (indices: readonly number[], max: number) =>
  Array.from({ length: Math.ceil(indices.length / max) }, (_, part) =>
    indices.slice(part * max, (part + 1) * max),
  )

const readReason = (replies: readonly Reply[]) =>
  replies.map(({ error = '' }) => readMessage(error)).find(refusesBatch) ?? ''

function readMessage(error: string): string {
  if (error === '') return ''
  const { message } = JSON.parse(error) as { message?: unknown }
  return typeof message === 'string' ? message : ''
}
