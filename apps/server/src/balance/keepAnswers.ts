import type { ChainId } from '@latchkey/wire'
import type { Services } from '../services.ts'
import type { Discovery } from './readHoldings.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'clock'> & { readonly activity: Discovery | undefined }

type Question = {
  readonly key: string
  readonly owner: Hex
  readonly chainIds: readonly ChainId[]
  readonly seconds: number
}

/** Answers about accounts, as text. */
export type KeptAnswers = {
  get(key: string): Promise<string | undefined>
  /** Answers anew, once for all who ask at the same time, and keeps what `read` says may be kept. */
  fill(
    question: Question,
    read: () => Promise<{ readonly text: string; readonly keep: boolean }>,
  ): Promise<string>
  forget(keys: readonly string[]): Promise<void>
}

type Watch = { changed: boolean; readonly untilMs: number; off(): void }

/**
 * Keeps answers for some seconds, and no longer than until the account's activity changes: the process that kept an answer
 * listens as long as it is kept, and drops it for all who share the kv.
 */
export function keepAnswers({ kv, clock, activity }: Needs): KeptAnswers {
  const flying = new Map<string, Promise<string>>()
  const watched = new Map<string, Watch>()
  const sweep = () => {
    for (const [key, { untilMs, off }] of watched) {
      if (untilMs > clock()) continue
      off()
      watched.delete(key)
    }
  }
  const watch = ({ key, owner, chainIds, seconds }: Question) => {
    const offs = chainIds.map((chainId) =>
      activity?.listen({ chainId, address: owner }, ({ type }) => {
        if (type !== 'changed') return
        state.changed = true
        void kv.delete(key)
      }),
    )
    watched.get(key)?.off()
    const off = () => {
      for (const one of offs) one?.()
    }
    const state: Watch = { changed: false, untilMs: clock() + seconds * 1000, off }
    watched.set(key, state)
    return state
  }
  const answer = async (
    question: Question,
    read: () => Promise<{ readonly text: string; readonly keep: boolean }>,
  ) => {
    sweep()
    // Before the reading, so that a change in its middle is not missed.
    const state = watch(question)
    const { text, keep } = await read()
    if (keep && !state.changed) await kv.set(question.key, text, question.seconds)
    return text
  }
  return {
    get: (key) => kv.get(key),
    fill(question, read) {
      const { key } = question
      const known = flying.get(key)
      if (known !== undefined) return known
      const filling = answer(question, read).finally(() => flying.delete(key))
      flying.set(key, filling)
      return filling
    },
    async forget(keys) {
      const forgetting = keys.map((key) => {
        // What is being read now was begun before.
        const state = watched.get(key)
        if (state !== undefined) state.changed = true
        return kv.delete(key)
      })
      await Promise.all(forgetting)
    },
  }
}
