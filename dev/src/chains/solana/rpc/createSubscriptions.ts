import * as z from 'zod'
import type { Entry } from '../state/ledger.ts'
import type { SolanaChain } from '../state/openChain.ts'
import { describe } from './accountMethods.ts'
import type { Call } from './answerCall.ts'
import { isVisible } from './historyMethods.ts'
import { accountConfig, address, parseParams, signature, withContext } from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'
import { toJson } from './toJson.ts'

/** The subscriptions of one socket. */
export type Subscriptions = {
  /**
   * Handles the methods that subscribe and unsubscribe; returns undefined for every other method.
   */
  call: Call
  close(): void
}

const maxSubscriptions = 200
const commitment = z
  .object({ commitment: z.enum(['processed', 'confirmed', 'finalized']).default('finalized') })
  .prefault({})
const logsFilter = z.union([
  z.enum(['all', 'allWithVotes']),
  z.strictObject({ mentions: z.array(address).length(1, 'Only 1 address supported') }),
])

/** Creates the subscriptions of a socket. Every notification is sent as a string. */
export function createSubscriptions(
  chain: SolanaChain,
  send: (text: string) => void,
): Subscriptions {
  const ends = new Map<number, () => void>()
  let ids = 0
  const open = (start: (id: number) => () => void) => {
    if (ends.size >= maxSubscriptions) throw new RpcError(-32000, 'Too many subscriptions')
    const id = ids++
    ends.set(id, start(id))
    return id
  }
  const end = (id: number) => {
    ends.get(id)?.()
    return ends.delete(id)
  }
  const notify = (kind: string, subscription: number, result: unknown) =>
    send(
      toJson({
        jsonrpc: '2.0',
        method: `${kind}Notification`,
        params: { result, subscription },
      }),
    )

  const watchSignature = (params: unknown) => {
    const [wanted, { commitment: level }] = parseParams(
      z.tuple([signature, commitment], z.any()),
      params,
    )
    return open((id) =>
      watchEntries(chain, { commitment: level, known: chain.ledger.get(wanted) }, (entry) => {
        if (entry.signature !== wanted || !ends.has(id)) return
        notify('signature', id, withContext(chain, { err: entry.error }))
        // A node ends the subscription with its only notification.
        end(id)
      }),
    )
  }
  const watchAccount = (params: unknown) => {
    const [of, options] = parseParams(z.tuple([address, accountConfig], z.any()), params)
    return open((id) =>
      watchEntries(chain, { commitment: options.commitment }, (entry) => {
        if (!entry.keys.includes(of)) return
        notify('account', id, withContext(chain, describe(chain, { address: of, ...options })))
      }),
    )
  }
  const watchLogs = (params: unknown) => {
    const [filter, { commitment: level }] = parseParams(
      z.tuple([logsFilter, commitment], z.any()),
      params,
    )
    const mention = typeof filter === 'string' ? undefined : filter.mentions[0]
    return open((id) =>
      watchEntries(chain, { commitment: level }, (entry) => {
        if (mention !== undefined && !entry.keys.includes(mention)) return
        const { signature: of, error: err, logs } = entry
        notify('logs', id, withContext(chain, { signature: of, err, logs }))
      }),
    )
  }
  const watchSlots = () =>
    open((id) => {
      let newest = chain.slots.current()
      return every(chain, () => {
        const slot = chain.slots.current()
        if (slot === newest) return
        newest = slot
        notify('slot', id, { parent: slot - 1, root: Math.max(0, slot - 32), slot })
      })
    })

  return {
    call: (method, params) => {
      if (method === 'signatureSubscribe') return watchSignature(params)
      if (method === 'accountSubscribe') return watchAccount(params)
      if (method === 'logsSubscribe') return watchLogs(params)
      if (method === 'slotSubscribe') return watchSlots()
      if (!/^(signature|account|logs|slot)Unsubscribe$/.test(method)) return undefined
      const [id] = parseParams(z.tuple([z.int().min(0)], z.any()), params)
      if (!end(id)) throw invalidParams('Invalid subscription id.')
      return true
    },
    close: () => {
      for (const id of [...ends.keys()]) end(id)
    },
  }
}

/**
 * Calls `listener` with each transaction after it has reached a commitment, and with the `known`
 * transaction after the response.
 */
function watchEntries(
  chain: SolanaChain,
  options: { commitment: 'processed' | 'confirmed' | 'finalized'; known?: Entry | undefined },
  listener: (entry: Entry) => void,
): () => void {
  const waiting = new Set<Entry>(options.known ? [options.known] : [])
  const look = () => {
    for (const entry of waiting) {
      if (!isVisible(chain, entry, options.commitment)) continue
      waiting.delete(entry)
      listener(entry)
    }
  }
  const soon = setImmediate(look)
  const endTicks = every(chain, look)
  const endEntries = chain.onEntry((entry) => {
    waiting.add(entry)
    look()
  })
  return () => {
    clearImmediate(soon)
    endTicks()
    endEntries()
  }
}

function every({ slots }: SolanaChain, tick: () => void): () => void {
  const timer = setInterval(tick, Math.max(20, slots.slotMs / 2))
  timer.unref()
  return () => clearInterval(timer)
}
